package dev.tempest.cluster;

import org.junit.jupiter.api.Test;

/** Servers that somebody floods with updates, with expensive reads and with nonsense. */
final class ServersUnderFloodTest {
  /** For so long the flood lasts. */
  private static final long FLOOD_MILLIS = 8_000;

  @Test
  void goOnAndRecover() throws Exception {
    ServerCluster.writeThrough(
        ServerCluster.Terms.USUAL,
        cluster -> {
          HostProcess rogue =
              cluster.start(ServerCluster.SPARE_HOST, RogueProgram.class, ServerCluster.ADDRESSES);
          Thread.sleep(FLOOD_MILLIS);
          rogue.kill();
        });
  }
}
