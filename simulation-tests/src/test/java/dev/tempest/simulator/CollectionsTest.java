package dev.tempest.simulator;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that write into collections by themselves; in which worlds, {@link Seeds} says. */
class CollectionsTest {
  private static final int SEEDS = 30;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void everyPromiseIsKept(long first) {
    Seeds.forEach(first, SEEDS, seed -> Seeds.check(Simulation.run(World.ofCollections(seed))));
  }

  /** One came back, and began anew with the entries of each who offered them, for ever. */
  @Test
  void whatOneGivesIsTakenToItsEnd() {
    Seeds.check(Simulation.run(World.ofCollections(900)));
  }

  /** Two had settled the same, and took in a third's state before and after an entry expired. */
  @Test
  void whatIsLackingAtDifferentTimesIsNotTheSame() {
    Seeds.check(Simulation.run(World.ofCollections(70_788)));
  }

  /** Then its writer does not wait as for one that keeps up, though it wrote nothing meanwhile. */
  @ParameterizedTest
  @ValueSource(longs = {808_775, 862_699})
  void whoeverWasSilentBetweenTwoWritesComesCloserAllTheTime(long seed) {
    Seeds.check(Simulation.run(World.ofCollections(seed)));
  }

  /** Its founder had counted alone, and was gone before it could give its state: both began. */
  @Test
  void whatAFounderCountsAloneMayBeLostToWhoeverBeginsWithoutItsState() {
    Seeds.check(Simulation.run(World.ofCollections(887_030)));
  }
}
