package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a replica that does not lead keeps for when it does. */
final class KeptUpdatesTest {
  private static final long LONG_NANOS = 11_000_000_000L;
  private static final int LARGE = 1_000;

  private record Place(int number) implements Address {}

  private final KeptUpdates kept = new KeptUpdates(100, 10_000);

  private void keep(long sequence, int argumentBytes, long nowNanos) {
    keep(sequence, Stamp.partAt(0), argumentBytes, nowNanos);
  }

  private void keep(long sequence, OrderPart part, int argumentBytes, long nowNanos) {
    Call call = new Call(1, Bytes.of(new byte[argumentBytes]));
    RequestId id = new RequestId(1, sequence);
    kept.keep(new Place(1), new Update(9, id, part, call, 0, 1, 0), nowNanos);
    kept.checkInvariants();
  }

  private List<Long> takeAll() {
    List<Long> sequences = new ArrayList<>();
    for (var next = kept.takeOldest(); next != null; next = kept.takeOldest()) {
      sequences.add(next.update().id().sequence());
      kept.checkInvariants();
    }
    return sequences;
  }

  @Test
  void theyStayInTheOrderInWhichTheyCame() {
    keep(2, 1, 0);
    keep(1, 1, 1);
    keep(2, 1, 2);
    assertThat(takeAll()).containsExactly(2L, 1L);
    assertThat(kept.isEmpty()).isTrue();
  }

  /** With the first it would be too late for the log. */
  @Test
  void theLatestStampCounts() {
    OrderPart later = Stamp.partAt(1_000_000);
    keep(1, 1, 0);
    keep(2, 1, 1);
    keep(1, later, 2, 2);
    keep(1, 1, 3); // A late copy.
    assertThat(Objects.requireNonNull(kept.find(new RequestId(1, 1))).update().part())
        .isEqualTo(later);
    assertThat(takeAll()).containsExactly(1L, 2L);
  }

  /** The others have to hear of a leader in between, however long methods take. */
  @Test
  void whileTurnsAreShortEachTakesMore() {
    KeptUpdates many = new KeptUpdates(1_000, 1_000_000);
    for (long sequence = 1; sequence <= 200; sequence++) {
      Call call = new Call(1, Bytes.EMPTY);
      Update update = new Update(9, new RequestId(1, sequence), Stamp.partAt(0), call, 0, 1, 0);
      many.keep(new Place(1), update, 0);
    }
    long nowNanos = 100_000_000;
    for (int expected : List.of(1, 2, 4, 8, 16, 32, 64, 64)) {
      assertThat(many.countForTurn(nowNanos)).isEqualTo(expected);
      nowNanos += 19_000_000;
    }
    assertThat(many.countForTurn(nowNanos + 1_000_000)).isOne();
  }

  @Test
  void aTurnTakesNoMoreThanThereIs() {
    keep(1, 1, 0);
    keep(2, 1, 0);
    for (int turn = 0; turn < 3; turn++) {
      assertThat(kept.countForTurn(100_000_000)).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void whatIsCommittedIsKeptNoLonger() {
    keep(1, 1, 0);
    keep(2, 1, 0);
    assertThat(kept.take(new RequestId(1, 1))).isNotNull();
    assertThat(kept.take(new RequestId(1, 7))).isNull();
    assertThat(takeAll()).containsExactly(2L);
  }

  @Test
  void theOldestMakeRoom() {
    for (long sequence = 1; sequence <= 20; sequence++) {
      keep(sequence, LARGE, 0);
    }
    assertThat(takeAll()).hasSizeBetween(5, 10).isSorted().endsWith(20L);
  }

  @Test
  void whatHasNoRoomAtAllDrivesNothingOut() {
    keep(1, 1, 0);
    keep(2, 20 * LARGE, 0);
    assertThat(takeAll()).containsExactly(1L);
  }

  @Test
  void whatHasWaitedForLongIsDropped() {
    keep(1, 1, 0);
    keep(2, 1, LONG_NANOS);
    kept.dropOld(LONG_NANOS);
    assertThat(takeAll()).containsExactly(2L);
  }
}
