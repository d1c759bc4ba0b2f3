package dev.tempest.simulator;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Services of which one replica executes each update, any, as a third of {@link SimulationTest}'s
 * worlds do. In which worlds, {@link Seeds} says.
 */
class ExecuteAnyTest {
  private static final int SEEDS = 50;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void everyPromiseIsKept(long first) {
    Seeds.forEach(
        first,
        SEEDS,
        seed ->
            Seeds.check(Simulation.run(World.of(seed).operations(5, 20).workload(Luck::ledger))));
  }
}
