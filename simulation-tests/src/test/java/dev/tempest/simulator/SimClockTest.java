package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimClockTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void aFastClockGainsAndTimersFindTheMoment() {
    SimClock clock = new SimClock(30_000_000, 2_000);
    long shown = clock.read(10 * SECOND);
    assertThat(shown - SimClock.EPOCH_NANOS).isEqualTo(10 * SECOND + 30_000_000 + 20_000_000);
    for (long ahead = 0; ahead < SECOND; ahead += 33_333_333) {
      long due = clock.virtualNanos(shown + ahead);
      assertThat(clock.read(due)).isBetween(shown + ahead, shown + ahead + 1_000);
    }
  }

  @Test
  void aSlowClockFindsTheMomentToo() {
    SimClock clock = new SimClock(-400_000_000, -2_000);
    long due = clock.virtualNanos(SimClock.EPOCH_NANOS + 5 * SECOND);
    assertThat(clock.read(due) - SimClock.EPOCH_NANOS).isBetween(5 * SECOND, 5 * SECOND + 1_000);
  }

  @Test
  void setBackItStandsStill() {
    SimClock clock = new SimClock(0, 0);
    long before = clock.read(SECOND);
    clock.shift(-300_000_000);
    assertThat(clock.read(SECOND + 100_000_000)).isEqualTo(before);
    assertThat(clock.read(2 * SECOND)).isEqualTo(before + 700_000_000);
  }
}
