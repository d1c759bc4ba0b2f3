package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Message.Prefix;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HistoryTest {
  private static final Prefix LAST = new Prefix(9, 30, 300);
  private static final int EPOCHS_MAX = 1_024;

  private final History history = new History(EPOCHS_MAX);

  HistoryTest() {
    history.replace(List.of(new Prefix(3, 10, 100), new Prefix(6, 20, 200)));
    history.add(new Prefix(8, 30, 300));
  }

  @Test
  void leadsThroughWhatWasSettledAtTheEndOfAnyEpoch() {
    assertThat(history.leadsThrough(LAST, new Prefix(3, 10, 100))).isTrue();
    assertThat(history.leadsThrough(LAST, new Prefix(5, 10, 100))).isTrue();
    assertThat(history.leadsThrough(LAST, new Prefix(6, 20, 200))).isTrue();
    assertThat(history.leadsThrough(LAST, LAST)).isTrue();
    assertThat(history.leadsThrough(LAST, new Prefix(7, 0, 0))).isTrue();
  }

  @Test
  void doesNotLeadThroughOtherEntriesNorFurtherThanItself() {
    assertThat(history.leadsThrough(LAST, new Prefix(5, 10, 101))).isFalse();
    assertThat(history.leadsThrough(LAST, new Prefix(6, 10, 100))).isFalse();
    assertThat(history.leadsThrough(LAST, new Prefix(2, 5, 50))).isFalse();
    assertThat(history.leadsThrough(LAST, new Prefix(10, 30, 300))).isFalse();
  }

  @Test
  void forgetsTheOldest() {
    for (int epoch = 0; epoch <= EPOCHS_MAX; epoch++) {
      history.add(new Prefix(10 + epoch, 31 + epoch, 0));
    }
    assertThat(history.prefixes()).hasSize(EPOCHS_MAX);
    assertThat(history.leadsThrough(new Prefix(5_000, 5_000, 0), new Prefix(3, 10, 100))).isFalse();
  }
}
