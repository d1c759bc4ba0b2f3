package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TurnShareTest {
  private static final long MILLI = 1_000_000;

  private final TurnShare share = new TurnShare();

  @Test
  void aTurnTakesLittleWhileTheOneBeforeHasLeftNothing() {
    share.ends(1_000, false);
    share.begins(1_000 + 7 * MILLI);
    assertThat(share.updatingNanos()).as("it has rested").isEqualTo(2 * MILLI);
    assertThat(share.readingNanos()).isEqualTo(MILLI);
  }

  @Test
  void updatesTakeAsLongAsEverythingElseTookAndReadsHalfOfIt() {
    share.ends(1_000, true);
    share.begins(1_000 + 6 * MILLI);
    assertThat(share.updatingNanos()).isEqualTo(6 * MILLI);
    assertThat(share.readingNanos()).isEqualTo(3 * MILLI);
  }

  @Test
  void eachTurnCountsWhatTookTimeSinceTheOneBefore() {
    share.ends(1_000, true);
    share.begins(1_000 + 6 * MILLI);
    share.ends(1_000 + 16 * MILLI, true);
    share.begins(1_000 + 20 * MILLI);
    assertThat(share.updatingNanos()).isEqualTo(4 * MILLI);
    assertThat(share.readingNanos()).isEqualTo(2 * MILLI);
  }

  @Test
  void onceNothingIsLeftItHasRested() {
    share.ends(1_000, true);
    share.begins(1_000 + 6 * MILLI);
    share.ends(1_000 + 7 * MILLI, false);
    share.begins(1_000 + 14 * MILLI);
    assertThat(share.updatingNanos()).isEqualTo(2 * MILLI);
    assertThat(share.readingNanos()).isEqualTo(MILLI);
  }

  @Test
  void withinBounds() {
    share.ends(1_000, true);
    share.begins(1_001);
    assertThat(share.updatingNanos()).isEqualTo(2 * MILLI);
    assertThat(share.readingNanos()).isEqualTo(MILLI);
    share.begins(1_000 + 500 * MILLI);
    assertThat(share.updatingNanos()).isEqualTo(20 * MILLI);
    assertThat(share.readingNanos()).isEqualTo(5 * MILLI);
  }
}
