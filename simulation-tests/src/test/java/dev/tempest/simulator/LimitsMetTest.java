package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.simulator.LimitsMet.Limit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** In the first hundred seeds each limit is met that worlds scale down. */
class LimitsMetTest {
  @Test
  void ofAService() {
    assertThat(metBy(World::of))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Limit.AHEAD, Limit.AHEAD_BYTES, Limit.ACKS)));
  }

  /** They have no front-ends that could be refused and leave out numbers, and no calls to keep. */
  @Test
  void ofCollections() {
    assertThat(metBy(World::ofCollections))
        .isEqualTo(
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
                    Limit.UNSURE)));
  }

  private static Set<Limit> metBy(LongFunction<World> worlds) {
    Set<Limit> met = EnumSet.noneOf(Limit.class);
    for (long seed = 1; seed <= 100; seed++) {
      World world = worlds.apply(seed);
      world.load();
      world.heal();
      met.addAll(world.evidence().limitsMet());
    }
    return met;
  }
}
