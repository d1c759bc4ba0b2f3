package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogTimeTest {
  private final LogTime time = new LogTime();

  @Test
  void goesByTheClockOfWhoLeads() {
    assertThat(time.next(1_000, 0)).isEqualTo(1_000);
    assertThat(time.next(1_500, 1_000)).isEqualTo(1_500);
    assertThat(time.next(9_000, 9_000)).isEqualTo(9_000);
  }

  @Test
  void goesOnHalfAsFastWhereTheLogIsAheadUntilTheClockHasCaughtUp() {
    long latest = 10_000;
    latest = time.next(4_000, latest);
    assertThat(latest).isEqualTo(10_000);
    for (long now = 4_001; now <= 20_000; now++) {
      latest = time.next(now, latest);
      long slowed = 10_000 + (now - 4_000) / 2;
      assertThat(latest).isBetween(Math.max(now, slowed - 1), Math.max(now, slowed));
    }
  }

  @Test
  void goesOnFromWhereAnotherLeaderTookIt() {
    assertThat(time.next(4_000, 10_000)).isEqualTo(10_000);
    assertThat(time.next(4_500, 50_000)).isEqualTo(50_000);
    assertThat(time.next(5_000, 50_000)).isEqualTo(50_250);
    assertThat(time.next(6_000, 50_250)).isEqualTo(50_750);
  }

  /** A clock that is set right, or a while in which another one led, is no time that passed. */
  @Test
  void doesNotGoOnByWhatNobodyWaitedFor() {
    long day = 86_400_000;
    assertThat(time.next(4_000, day)).isEqualTo(day);
    assertThat(time.next(day, day)).isEqualTo(day);
    assertThat(time.next(day + 3_600_000, day + 3_600_003)).isEqualTo(day + 3_600_003);
    assertThat(time.next(day + 3_600_002, day + 3_600_003)).isEqualTo(day + 3_600_004);
    assertThat(time.next(day + 3_700_000, day + 7_200_000)).isEqualTo(day + 7_200_000);
  }

  /** What was ahead long ago says nothing of what is ahead now. */
  @Test
  void isAheadAnew() {
    assertThat(time.next(4_000, 10_000)).isEqualTo(10_000);
    assertThat(time.next(100_000, 10_000)).isEqualTo(100_000);
    assertThat(time.next(100_000, 200_000)).isEqualTo(200_000);
    assertThat(time.next(101_000, 200_000)).isEqualTo(200_500);
  }
}
