package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Wish;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StateGiverTest {
  private static Entry entry(long stamp) {
    return new Entry(new RequestId(1, 1), stamp, new Change(Bytes.EMPTY));
  }

  /** What a replica keeps it gives to others in the same order: it has to be one. */
  @Test
  void entriesFollowOnlyWhatComesBeforeThem() {
    Wish.OfEntries afterTenth = Wish.OfEntries.after(List.of(entry(9), entry(10)));
    assertThat(StateGiver.follow(List.of(), afterTenth)).isTrue();
    assertThat(StateGiver.follow(List.of(entry(11)), afterTenth)).isTrue();
    assertThat(StateGiver.follow(List.of(entry(10), entry(11)), afterTenth)).isFalse();
    assertThat(StateGiver.follow(List.of(entry(5)), afterTenth)).isFalse();
    assertThat(StateGiver.follow(List.of(entry(5)), Wish.OfEntries.ALL)).isTrue();
  }
}
