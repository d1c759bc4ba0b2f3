package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Stamp;
import org.junit.jupiter.api.Test;

final class StampClockTest {
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  private final StampClock clock = new StampClock();

  /** One replica, whose clock is as far ahead, has answered; another one then refuses the stamp. */
  @Test
  void aRefusalTakesNoStampBelowWhatWasAnswered() {
    long answered = clock.next(NOW + 10 * SECOND);
    clock.follow(answered, NOW + 10 * SECOND);
    clock.correct(Stamp.atNanos(NOW), NOW + 10 * SECOND);
    assertThat(clock.next(NOW + 10 * SECOND)).isGreaterThan(answered);
  }

  @Test
  void whatReplicasRefuseTheyAreAskedForAgainByTheirOwnClocks() {
    long refused = clock.next(NOW + 10 * SECOND);
    clock.correct(Stamp.atNanos(NOW), NOW + 10 * SECOND);
    long again = clock.next(NOW + 10 * SECOND);
    assertThat(again).isLessThan(refused);
    assertThat(Stamp.millis(again)).isEqualTo(NOW / 1_000_000);
  }

  /** One replica was suspended, and has not noticed; what another one shows is right. */
  @Test
  void whatIsSeenCountsAlthoughAReplicaThatIsBehindHasRefusedAStamp() {
    clock.correct(Stamp.atNanos(NOW - 100 * SECOND), NOW);
    clock.follow(Stamp.atNanos(NOW), NOW);
    assertThat(clock.next(NOW)).isGreaterThan(Stamp.atNanos(NOW));
  }

  @Test
  void noStampIsGivenTwiceInOrder() {
    long first = clock.next(NOW);
    assertThat(clock.next(NOW)).isGreaterThan(first);
    assertThat(clock.next(NOW - SECOND)).isGreaterThan(first + 1);
  }
}
