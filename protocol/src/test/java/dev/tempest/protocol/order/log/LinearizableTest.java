package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whole replicas with clients: what they are told is linearizable, and each update counts once. */
final class LinearizableTest {
  @Test
  void whatClientsAreToldIsLinearizable() {
    long operations = 0;
    long first = Long.getLong("seed", 1);
    for (long seed = first; seed < first + Long.getLong("seeds", 150); seed++) {
      try {
        CounterWorld world = new CounterWorld(seed, CounterWorld::production);
        assertThat(world.run().wrong()).isEmpty();
        operations += world.counted();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed + ": replay it with -Dseed=" + seed, failed);
      }
    }
    assertThat(operations).isGreaterThan(10_000);
  }
}
