package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TurnShareTest {
  private final TurnShare share = new TurnShare(2, 20);

  @Test
  void aTurnTakesLittleWhileNothingIsLeftByTheOneBefore() {
    assertThat(share.end(1_000)).isEqualTo(1_002);
    share.ended(1_001, false);
    assertThat(share.end(2_000)).as("it has rested").isEqualTo(2_002);
  }

  @Test
  void itTakesAsLongAsEverythingElseTook() {
    share.ended(1_000, true);
    assertThat(share.end(1_001)).as("at least").isEqualTo(1_003);
    assertThat(share.end(1_010)).isEqualTo(1_020);
    assertThat(share.end(1_500)).as("at most").isEqualTo(1_520);
  }
}
