package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MonotonicClockTest {
  private static final long MILLI = 1_000_000;
  private static final long START_MILLIS = 1_700_000_000_000L;

  private long wallMillis = START_MILLIS;
  private long ticks = -5;
  private final MonotonicClock clock = new MonotonicClock(() -> wallMillis, () -> ticks);

  @Test
  void goesOnWithTheMonotonicClock() {
    ticks += 7;
    assertThat(clock.nowNanos()).isEqualTo(START_MILLIS * MILLI + 7);
    pass(10_000);
    assertThat(clock.nowNanos()).isEqualTo((START_MILLIS + 10_000) * MILLI + 7);
  }

  @Test
  void followsTheWallClockThroughASuspend() {
    pass(1_000);
    wallMillis += 3_600_000; // The monotonic one stands still.
    pass(100);
    assertThat(clock.nowNanos()).isEqualTo(wallMillis * MILLI);
  }

  @Test
  void whoeverLooksFollowsItAtOnce() {
    pass(1_000);
    clock.nowNanos();
    wallMillis += 10_000;
    clock.look();
    assertThat(clock.nowNanos()).isEqualTo(wallMillis * MILLI);
  }

  @Test
  void whatPassesWhileItLooksIsNoSuspend() {
    Runnable[] meanwhile = {() -> {}};
    MonotonicClock slow =
        new MonotonicClock(
            () -> {
              long read = wallMillis;
              meanwhile[0].run();
              return read;
            },
            () -> ticks);
    meanwhile[0] = () -> pass(3_000);
    slow.look();
    assertThat(slow.nowNanos()).isEqualTo(wallMillis * MILLI);
  }

  @Test
  void neverGoesBack() {
    pass(1_000);
    long before = clock.nowNanos();
    wallMillis -= 3_600_000;
    pass(1_000);
    assertThat(clock.nowNanos()).isEqualTo(before + 1_000 * MILLI);
    wallMillis += 3_600_000;
    pass(1_000);
    assertThat(clock.nowNanos()).isEqualTo(before + 2_000 * MILLI);
  }

  private void pass(long millis) {
    wallMillis += millis;
    ticks += millis * MILLI;
  }
}
