package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.execution.ServiceInstance;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplicaClockTest {
  private static final long MILLI = 1_000_000;
  private static final long NOW_MILLIS = 1_700_000_000_000L;
  private static final long DAY_MILLIS = 24 * 3_600_000L;
  private static final List<Long> OTHERS = List.of(2L, 3L);

  private final ReplicaClock clock =
      new ReplicaClock(
          ReplicaSettings.Timing.USUAL,
          Stamp.AHEAD_MAX_MILLIS,
          new Window(
              ServiceInstance.of(Cart.class, CartService::new),
              100,
              ReplicaSettings.Memory.USUAL,
              epoch -> {}),
          new Stability(OTHERS),
          NOW_MILLIS * MILLI);

  @Test
  void catchesUpWithMostOthersAndNotWithOne() {
    assertThat(clock.heard(2, closedAt(NOW_MILLIS + DAY_MILLIS), OTHERS)).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS);
    assertThat(clock.heard(3, closedAt(NOW_MILLIS + 60_000), OTHERS)).isTrue();
    assertThat(clock.nowMillis()).isBetween(NOW_MILLIS + 58_000, NOW_MILLIS + 60_000);
    assertThat(clock.correctionMillis()).isEqualTo(clock.nowMillis() - NOW_MILLIS);
  }

  @Test
  void whoIsFarAheadOfMostOthersKnowsIt() {
    assertThat(clock.heard(2, closedAt(NOW_MILLIS - DAY_MILLIS), OTHERS)).isFalse();
    assertThat(clock.isFarAhead()).isFalse();
    assertThat(clock.heard(3, closedAt(NOW_MILLIS - 60_000), OTHERS)).isFalse();
    assertThat(clock.isFarAhead()).isTrue();
    clock.heard(3, closedAt(NOW_MILLIS), OTHERS);
    assertThat(clock.isFarAhead()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS);
  }

  @Test
  void aCorrectionEndsWhereTheClockOfTheProcessIsSetRight() {
    clock.heard(2, closedAt(NOW_MILLIS + 60_000), OTHERS);
    clock.heard(3, closedAt(NOW_MILLIS + 60_000), OTHERS);
    clock.advance((NOW_MILLIS + 60_000) * MILLI);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 60_000);
    assertThat(clock.correctionMillis()).isZero();
  }

  /** What a replica has closed whose clock shows this. */
  private static long closedAt(long millis) {
    return millis / 100 - Epochs.USUAL.closeAfter();
  }
}
