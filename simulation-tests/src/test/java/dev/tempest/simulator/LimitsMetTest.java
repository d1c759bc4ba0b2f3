package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.simulator.LimitsMet.Limit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** In the first hundred seeds each limit that worlds scale down is met. */
class LimitsMetTest {
  @Test
  void ofAService() {
    metBy(World::of, EnumSet.complementOf(EnumSet.of(Limit.AHEAD, Limit.AHEAD_BYTES, Limit.ACKS)));
  }

  /** They have no front-ends that could be refused and leave out numbers, and no calls to keep. */
  @Test
  void ofCollections() {
    metBy(
        World::ofCollections,
        EnumSet.complementOf(
            EnumSet.of(
                Limit.CLIENTS,
                Limit.INTERVALS,
                Limit.KEPT,
                Limit.ANSWERS,
                Limit.STAMP_EXPIRED,
                Limit.STAMP_AHEAD,
                Limit.READS,
                Limit.UPDATES,
                Limit.UNSURE,
                Limit.SHED)));
  }

  private static void metBy(LongFunction<World> worlds, Set<Limit> expected) {
    Set<Limit> met = EnumSet.noneOf(Limit.class);
    for (long seed = 1; seed <= 100 && !met.equals(expected); seed++) {
      World world = worlds.apply(seed);
      world.load();
      world.heal();
      met.addAll(world.evidence().limitsMet());
    }
    assertThat(met).isEqualTo(expected);
  }
}
