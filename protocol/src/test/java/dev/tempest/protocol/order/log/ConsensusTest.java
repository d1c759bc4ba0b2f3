package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConsensusTest {
  @Test
  void noTwoReplicasCommitDifferentEntriesWhateverTheNetworkDoes() {
    long all = 0;
    int installed = 0;
    int crashes = 0;
    for (long seed = Long.getLong("seed", 1); seed <= Long.getLong("seeds", 300); seed++) {
      GroupWorld world = new GroupWorld(seed);
      try {
        world.run();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed, failed);
      }
      all += world.committed();
      installed += world.installed();
      crashes += world.crashes();
    }
    assertThat(all).isGreaterThan(10_000);
    assertThat(installed).isGreaterThan(50);
    assertThat(crashes).isGreaterThan(300);
  }
}
