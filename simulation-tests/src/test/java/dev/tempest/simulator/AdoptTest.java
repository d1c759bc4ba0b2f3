package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The paper's reconciliation beside ours; in which worlds, {@link Seeds} says. */
class AdoptTest {
  private static final int SEEDS = 50;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void replicasThatGiveUpUpdatesConvergeToAnExecutionOfTheOthers(long first) {
    Seeds.forEach(first, SEEDS, seed -> Seeds.check(run(seed, true)));
  }

  /** Where nobody settles without those who are away, nothing comes too late either. */
  @Test
  void adoptLosesAcknowledgedUpdatesWhereMergeLosesNone() {
    long adopt = 0;
    long merge = 0;
    for (long seed = 1; seed <= 30; seed++) {
      adopt += patient(seed, true).counts().givenUp();
      merge += patient(seed, false).counts().givenUp();
    }
    assertThat(adopt).isPositive();
    assertThat(merge).isZero();
  }

  private static Report patient(long seed, boolean adopts) {
    return Simulation.run(
        World.of(seed).adopts(adopts).reunionMillis(Parameters.LONG_REUNION_MILLIS));
  }

  private static Report run(long seed, boolean adopts) {
    return Simulation.run(seed, Simulation.Options.defaults().withAdopts(adopts));
  }
}
