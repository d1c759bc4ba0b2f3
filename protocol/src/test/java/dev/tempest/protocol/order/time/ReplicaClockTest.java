package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import java.util.ArrayList;
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

  private final List<Effect> effects = new ArrayList<>();

  @Test
  void catchesUpWithMostOthersAndNotWithOne() {
    heard(2, NOW_MILLIS + DAY_MILLIS);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS);
    heard(3, NOW_MILLIS + 60_000);
    assertThat(effects).containsExactly(new Effect.ClockSet(clock.correctionMillis()));
    assertThat(clock.nowMillis()).isBetween(NOW_MILLIS + 58_000, NOW_MILLIS + 60_000);
    assertThat(clock.correctionMillis()).isEqualTo(clock.nowMillis() - NOW_MILLIS);
  }

  @Test
  void whoIsFarAheadOfMostOthersKnowsIt() {
    heard(2, NOW_MILLIS - DAY_MILLIS);
    assertThat(clock.isFarAhead()).isFalse();
    assertThat(effects).isEmpty();
    heard(3, NOW_MILLIS - 60_000);
    heard(2, NOW_MILLIS - DAY_MILLIS);
    assertThat(clock.isFarAhead()).isTrue();
    assertThat(effects).singleElement().isInstanceOf(Effect.FarAhead.class);
    heard(3, NOW_MILLIS);
    assertThat(clock.isFarAhead()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS);
  }

  /** Whoever records datagrams can send them again. */
  @Test
  void whatWasSaidLongAgoIsNotTakenForTheTimeOfNow() {
    for (long other : OTHERS) {
      heard(other, NOW_MILLIS - 60_000);
    }
    for (long other : OTHERS) {
      heard(other, NOW_MILLIS);
    }
    effects.clear();
    for (long other : OTHERS) {
      heard(other, NOW_MILLIS - 60_000);
    }
    assertThat(effects).isEmpty();
    assertThat(clock.isFarAhead()).isFalse();
  }

  @Test
  void aCorrectionEndsWhereTheClockOfTheProcessIsSetRight() {
    heard(2, NOW_MILLIS + 60_000);
    heard(3, NOW_MILLIS + 60_000);
    clock.advance((NOW_MILLIS + 60_000) * MILLI);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 60_000);
    assertThat(clock.correctionMillis()).isZero();
  }

  @Test
  void whatAClockLeapsIsNoTimeThatAReplicaWasThere() {
    clock.advance((NOW_MILLIS + 700) * MILLI);
    clock.advance((NOW_MILLIS + DAY_MILLIS) * MILLI);
    clock.advance((NOW_MILLIS + DAY_MILLIS + 800) * MILLI);
    assertThat(clock.upMillis()).isEqualTo(1_500);
  }

  /** It was suspended, as another one of many was: the clocks that did not stop say so. */
  @Test
  void timeThatHasPassedCountsAtTheFirstWordOfAnother() {
    clock.advance((NOW_MILLIS + 60_000) * MILLI);
    assertThat(clock.isUnsure()).isTrue();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS);
    heard(2, NOW_MILLIS + 1_000); // Sent long ago.
    assertThat(clock.isUnsure()).isTrue();
    heard(3, NOW_MILLIS + 60_000);
    assertThat(clock.isUnsure()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 60_000);
    assertThat(clock.correctionMillis()).isZero();
    assertThat(effects).isEmpty();
  }

  @Test
  void aClockThatLeapsAloneIsNotFollowed() {
    clock.advance((NOW_MILLIS + DAY_MILLIS) * MILLI);
    heard(2, NOW_MILLIS); // That may have been on its way.
    long awaitedNanos = (NOW_MILLIS + DAY_MILLIS + 1_000) * MILLI;
    clock.advance(awaitedNanos);
    clock.decide(effects);
    assertThat(clock.isUnsure()).isTrue();
    heard(3, NOW_MILLIS + 1_000);
    clock.decide(effects);
    assertThat(clock.isUnsure()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 1_000);
    assertThat(effects).containsExactly(new Effect.ClockSet(-DAY_MILLIS));
    clock.advance(awaitedNanos + 60_000 * MILLI);
    heard(2, NOW_MILLIS + 61_000); // That was time, and the rest was not.
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 61_000);
    assertThat(clock.correctionMillis()).isEqualTo(-DAY_MILLIS);
  }

  /** Else each of the two would go ahead of the other one, again and again. */
  @Test
  void oneThatWasFarBehindAndCatchesUpShowsNoLeap() {
    heard(2, NOW_MILLIS - 60_000);
    heard(3, NOW_MILLIS - 60_000);
    clock.advance((NOW_MILLIS + DAY_MILLIS) * MILLI);
    heard(2, NOW_MILLIS - 60_000);
    clock.advance((NOW_MILLIS + DAY_MILLIS + 1_000) * MILLI);
    heard(3, NOW_MILLIS - 59_000);
    clock.decide(effects);
    assertThat(clock.correctionMillis()).isEqualTo(-DAY_MILLIS);
    heard(2, NOW_MILLIS + 1_000);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 1_000);
    assertThat(clock.correctionMillis()).isEqualTo(-DAY_MILLIS);
  }

  /** All were suspended together: each waits for others, until the first one does so no longer. */
  @Test
  void whatLeapsTogetherFollowsTheFirstThatIsSure() {
    clock.advance((NOW_MILLIS + DAY_MILLIS) * MILLI);
    heard(2, NOW_MILLIS); // It has not noticed yet.
    clock.advance((NOW_MILLIS + DAY_MILLIS + 1_000) * MILLI);
    heard(3, NOW_MILLIS + 1_000); // Nor has it.
    clock.decide(effects);
    assertThat(clock.correctionMillis()).isEqualTo(-DAY_MILLIS);
    heard(3, NOW_MILLIS + DAY_MILLIS);
    assertThat(clock.correctionMillis()).isZero();
  }

  @Test
  void anotherClockShowsALeapThoughItWasAheadBeforeAndNoneIfItStaysThatFarAhead() {
    heard(2, NOW_MILLIS + 8_000);
    heard(3, NOW_MILLIS - 8_000);
    clock.advance((NOW_MILLIS + 12_000) * MILLI);
    heard(2, NOW_MILLIS + 20_000);
    assertThat(clock.isUnsure()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 12_000);
    heard(3, NOW_MILLIS + 4_000);
    clock.advance((NOW_MILLIS + 24_000) * MILLI);
    heard(2, NOW_MILLIS + 20_000);
    assertThat(clock.isUnsure()).isTrue();
    heard(3, NOW_MILLIS + 16_000);
    assertThat(clock.isUnsure()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 24_000);
  }

  /** The others waited for each other meanwhile, and their clocks went on. */
  @Test
  void aLeapIsShownByMoreThanThatWhereThisClockStoodStillOnceMore() {
    heard(2, NOW_MILLIS);
    clock.advance((NOW_MILLIS + 20_000) * MILLI);
    heard(2, NOW_MILLIS + 27_000);
    assertThat(clock.isUnsure()).isFalse();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 20_000);
  }

  @Test
  void oneThatNobodyKnewBeforeShowsNothingFromFarAhead() {
    heard(2, NOW_MILLIS);
    clock.advance((NOW_MILLIS + 20_000) * MILLI);
    heard(3, NOW_MILLIS + DAY_MILLIS);
    assertThat(clock.isUnsure()).isTrue();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS);
  }

  @Test
  void afterALeapThatWasFollowedItIsStillKnownHowFarOthersWereAhead() {
    heard(2, NOW_MILLIS + 8_000);
    heard(3, NOW_MILLIS);
    clock.advance((NOW_MILLIS + 12_000) * MILLI);
    heard(3, NOW_MILLIS + 12_000);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 12_000);
    clock.advance((NOW_MILLIS + 24_000) * MILLI);
    heard(2, NOW_MILLIS + 20_000); // As far as before.
    assertThat(clock.isUnsure()).isTrue();
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 12_000);
  }

  @Test
  void aLeapOfAnotherClockLongAfterShowsNothing() {
    heard(2, NOW_MILLIS);
    clock.advance((NOW_MILLIS + 20_000) * MILLI);
    heard(2, NOW_MILLIS);
    clock.advance((NOW_MILLIS + 22_000) * MILLI);
    heard(2, NOW_MILLIS + 2_000);
    clock.decide(effects);
    heard(2, NOW_MILLIS + 60_000);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 2_000);
  }

  @Test
  void aLeapIsStillShownByOneThatWasFollowedMeanwhile() {
    heard(2, NOW_MILLIS + 30_000);
    clock.advance((NOW_MILLIS + 60_000) * MILLI);
    heard(2, NOW_MILLIS + 30_000);
    clock.advance((NOW_MILLIS + 62_000) * MILLI);
    heard(2, NOW_MILLIS + 32_000);
    clock.decide(effects);
    assertThat(clock.correctionMillis()).isEqualTo(-60_000);
    heard(3, NOW_MILLIS + 32_000); // Most are ahead by that.
    assertThat(clock.nowMillis()).isBetween(NOW_MILLIS + 30_000, NOW_MILLIS + 32_000);
    heard(2, NOW_MILLIS + 92_000);
    assertThat(clock.nowMillis()).isEqualTo(NOW_MILLIS + 62_000);
    assertThat(clock.correctionMillis()).isZero();
  }

  @Test
  void aLeapCountsThatNobodyHasAnythingToSayAbout() {
    clock.advance((NOW_MILLIS + DAY_MILLIS) * MILLI);
    clock.advance(clock.nextTickNanos());
    assertThat(clock.isUnsure()).isTrue();
    clock.decide(effects);
    assertThat(clock.correctionMillis()).isZero();
    assertThat(effects).isEmpty();
  }

  private void heard(long other, long millis) {
    clock.heard(other, closedAt(millis), OTHERS, effects);
  }

  /** What a replica has closed whose clock shows this. */
  private static long closedAt(long millis) {
    return millis / 100 - Epochs.USUAL.closeAfter();
  }
}
