package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tempest.protocol.Reconcile;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The paper's reconciliation beside ours; {@code -Dseed} and {@code -Dseeds} as elsewhere. */
class AdoptTest {
  private static final int SEEDS_PER_TEST = 50;

  static LongStream firstSeeds() {
    Long one = Long.getLong("seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.iterate(1, first -> first <= seeds(), first -> first + SEEDS_PER_TEST);
  }

  private static long seeds() {
    return Long.getLong("seeds", 500);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void replicasThatGiveUpUpdatesConvergeToAnExecutionOfTheOthers(long first) {
    boolean replay = Long.getLong("seed") != null;
    long last = replay ? first : Math.min(first + SEEDS_PER_TEST - 1, seeds());
    for (long seed = first; seed <= last; seed++) {
      if (run(seed, Reconcile.ADOPT) instanceof Report.Failed failed) {
        fail(
            "-Dseed="
                + seed
                + " ("
                + failed.scenario()
                + "): "
                + failed.violations()
                + "\n"
                + String.join("\n", failed.trace()));
      }
    }
  }

  @Test
  void adoptLosesAcknowledgedUpdatesWhereMergeLosesNone() {
    long adopt = 0;
    long merge = 0;
    for (long seed = 1; seed <= 30; seed++) {
      adopt += run(seed, Reconcile.ADOPT).counts().givenUp();
      merge += run(seed, Reconcile.MERGE).counts().givenUp();
    }
    assertThat(adopt).isPositive();
    assertThat(merge).isZero();
  }

  private static Report run(long seed, Reconcile reconcile) {
    return Simulation.run(seed, Simulation.Options.defaults().withReconcile(reconcile));
  }
}
