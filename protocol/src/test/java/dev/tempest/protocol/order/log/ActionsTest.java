package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Actions that processes execute on collections that a group agrees on. */
final class ActionsTest {
  @Test
  void countOnceAndInOneOrderWhateverTheNetworkDoes() {
    int counts = 0;
    int reads = 0;
    int again = 0;
    for (long seed = Long.getLong("seed", 1); seed <= Long.getLong("seeds", 250); seed++) {
      ActionsWorld world = new ActionsWorld(seed);
      try {
        world.run();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed, failed);
      }
      counts += world.counts();
      reads += world.reads();
      again += world.again();
    }
    assertThat(counts).isGreaterThan(12_000);
    assertThat(reads).isGreaterThan(4_000);
    assertThat(again).isGreaterThan(2_500);
  }
}
