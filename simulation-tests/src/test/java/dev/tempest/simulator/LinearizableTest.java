package dev.tempest.simulator;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that use linearizable collections; which worlds, {@link Seeds} says. */
class LinearizableTest {
  private static final int SEEDS = 30;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void whatThreadsAreToldIsLinearizable(long first) {
    Seeds.forEach(first, SEEDS, seed -> Seeds.check(new LinearizableWorld(seed, null).run()));
  }

  /** A leader's answer to a process came to the next one at its place, and counted there. */
  @Test
  void anAnswerToAnEarlierLifeDoesNotCount() {
    Seeds.check(new LinearizableWorld(23_250, null).run());
  }

  /** What a process had offered was committed after the state that it took, and ran again. */
  @Test
  void whatIsCommittedBehindAStateDoesNotRunAgain() {
    Seeds.check(new LinearizableWorld(5_841, null).run());
  }
}
