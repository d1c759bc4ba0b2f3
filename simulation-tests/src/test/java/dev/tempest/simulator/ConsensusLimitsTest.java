package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.simulator.ConsensusLimits.Limit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** In the first hundred seeds each limit that worlds scale down is met. */
class ConsensusLimitsTest {
  @Test
  void ofAService() {
    metBy(
        seed -> {
          CountingWorld world = new CountingWorld(seed, null);
          assertThat(world.run()).isInstanceOf(Report.Passed.class);
          return world.limits();
        },
        EnumSet.allOf(Limit.class));
  }

  /** They have no front-ends that could be refused. */
  @Test
  void ofCollections() {
    metBy(
        seed -> {
          LinearizableWorld world = new LinearizableWorld(seed, null);
          assertThat(world.run()).isInstanceOf(Report.Passed.class);
          return world.limits();
        },
        EnumSet.of(Limit.LOG, Limit.CLIENTS_FORGOTTEN));
  }

  private static void metBy(LongFunction<ConsensusLimits> worlds, Set<Limit> expected) {
    Set<Limit> met = EnumSet.noneOf(Limit.class);
    for (long seed = 1; seed <= 100 && !met.equals(expected); seed++) {
      met.addAll(worlds.apply(seed).met());
    }
    assertThat(met).isEqualTo(expected);
  }
}
