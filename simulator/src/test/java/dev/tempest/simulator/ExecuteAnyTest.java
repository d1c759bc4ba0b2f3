package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Services of which one replica executes each update, any: the seeds of which {@link
 * SimulationTest} makes other worlds. {@code -Dseed=17} replays one seed with its trace, {@code
 * -Dseeds=100000} runs many.
 */
class ExecuteAnyTest {
  private static final int SEEDS_PER_TEST = 50;

  static LongStream firstSeeds() {
    Long one = Long.getLong("seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.iterate(1, first -> first <= seeds(), first -> first + SEEDS_PER_TEST);
  }

  private static long seeds() {
    return Long.getLong("seeds", 375);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void everyPromiseIsKept(long first) {
    boolean replay = Long.getLong("seed") != null;
    long last = replay ? first : Math.min(first + SEEDS_PER_TEST - 1, seeds());
    for (long seed = first; seed <= last; seed++) {
      if (seed % World.EXECUTES_ANY_EVERY == 0 && !replay) {
        continue;
      }
      Report report = Simulation.run(World.of(seed).operations(5, 20).workload(Luck::ledger));
      if (report instanceof Report.Failed failed) {
        fail(
            "-Dseed=%d (%s): %s%n%s"
                .formatted(
                    failed.seed(),
                    failed.scenario(),
                    failed.violations(),
                    replay ? String.join("\n", failed.trace()) : ""));
      }
      assertThat(report.counts().steps()).isPositive();
    }
  }
}
