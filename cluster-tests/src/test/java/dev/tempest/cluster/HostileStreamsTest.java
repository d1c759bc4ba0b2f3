package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Servers with little memory, to which a stranger sends by streams what takes much of it. */
final class HostileStreamsTest {
  private static final int HEAP_MEGABYTES = 256;
  private static final int WRITERS = 8;
  private static final long PAUSE_MILLIS = 5;
  private static final int SOME = 200;

  /** One such frame took all memory of a server, which died of it. */
  @Test
  void costNoServerItsLife() throws Exception {
    ServerCluster.writeThrough(
        new ServerCluster.Terms(1, 2, HEAP_MEGABYTES, WRITERS, PAUSE_MILLIS),
        cluster -> {
          cluster.awaitAcknowledged(SOME);
          HostProcess rogue =
              cluster.start(
                  ServerCluster.SPARE_HOST, StreamRogueProgram.class, ServerCluster.ADDRESSES);
          rogue.ask("flood");
          rogue.kill();
          cluster.awaitAcknowledged(SOME);
          for (int server = 0; server < ServerCluster.SERVERS; server++) {
            assertThat(cluster.server(server).output()).doesNotContain("OutOfMemoryError");
          }
        });
  }
}
