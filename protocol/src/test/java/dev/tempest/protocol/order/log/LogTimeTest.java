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
    latest = time.next(6_000, latest);
    assertThat(latest).isEqualTo(11_000);
    for (long now = 6_001; now <= 20_000; now++) {
      latest = time.next(now, latest);
      long slowed = 10_000 + (now - 4_000) / 2;
      assertThat(latest).isBetween(Math.max(now, slowed - 1), Math.max(now, slowed));
    }
  }

  @Test
  void goesOnFromWhereAnotherLeaderTookIt() {
    assertThat(time.next(4_000, 10_000)).isEqualTo(10_000);
    assertThat(time.next(6_000, 50_000)).isEqualTo(50_000);
    assertThat(time.next(7_000, 50_000)).isEqualTo(50_500);
    assertThat(time.next(20_000, 50_500)).isEqualTo(57_000);
  }

  /** What was ahead long ago says nothing of what is ahead now. */
  @Test
  void isAheadAnew() {
    assertThat(time.next(4_000, 10_000)).isEqualTo(10_000);
    assertThat(time.next(100_000, 10_000)).isEqualTo(100_000);
    assertThat(time.next(100_000, 200_000)).isEqualTo(200_000);
    assertThat(time.next(102_000, 200_000)).isEqualTo(201_000);
  }
}
