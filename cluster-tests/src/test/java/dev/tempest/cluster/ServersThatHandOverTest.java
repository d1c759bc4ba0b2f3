package dev.tempest.cluster;

import org.junit.jupiter.api.Test;

/** Servers that lose datagrams, and are told to end one after the other while clients write. */
final class ServersThatHandOverTest {
  private static final int LOST_PERCENT = 30;

  /** What the first server has executed counts, and only it may have it. */
  private static final int ACKS = 1;

  /** Between two ends: what a server hands over has just been written. */
  private static final int WRITES = 200;

  @Test
  void loseNothingThatOneOfThemAcknowledged() throws Exception {
    ServerCluster.writeThrough(
        ServerCluster.Terms.of(LOST_PERCENT, ACKS),
        cluster -> {
          for (int number = 0; number < ServerCluster.SERVERS; number++) {
            cluster.awaitAcknowledged(WRITES);
            cluster.relieve(number);
          }
        });
  }
}
