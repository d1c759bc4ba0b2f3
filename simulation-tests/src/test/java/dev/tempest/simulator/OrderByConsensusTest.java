package dev.tempest.simulator;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Servers that agree on each update, a third each with one, any and all that execute, and clients
 * that count; which worlds, {@link Seeds} says.
 */
class OrderByConsensusTest {
  private static final int SEEDS = 40;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void whatClientsAreToldIsLinearizable(long first) {
    Seeds.forEach(first, SEEDS, seed -> Seeds.check(new CountingWorld(seed, null).run()));
  }
}
