package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.simulator.ConsensusLimits.Limit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** In the first hundred seeds each limit is met that worlds scale down. */
class ConsensusLimitsTest {
  @Test
  void ofAService() {
    assertThat(
            metBy(seed -> {
              CountingWorld world = new CountingWorld(seed, null);
              assertThat(world.run()).isInstanceOf(Report.Passed.class);
              return world.limits();
            }))
        .isEqualTo(EnumSet.allOf(Limit.class));
  }

  /** They have no front-ends that could be refused. */
  @Test
  void ofCollections() {
    assertThat(
            metBy(seed -> {
              LinearizableWorld world = new LinearizableWorld(seed, null);
              assertThat(world.run()).isInstanceOf(Report.Passed.class);
              return world.limits();
            }))
        .isEqualTo(EnumSet.of(Limit.LOG, Limit.CLIENTS_FORGOTTEN));
  }

  private static Set<Limit> metBy(LongFunction<ConsensusLimits> worlds) {
    Set<Limit> met = EnumSet.noneOf(Limit.class);
    for (long seed = 1; seed <= 100; seed++) {
      met.addAll(worlds.apply(seed).met());
    }
    return met;
  }
}
