package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers with little memory and much to do, of which one dies or stands still. */
final class SmallServersTest {
  private static final int HEAP_MEGABYTES = 128;
  private static final int WRITERS = 32;
  private static final int SOME = 500;

  /** Much longer than a member that says nothing is waited for. */
  private static final long SILENT_MILLIS = 12_000;

  private static final ServerCluster.Terms TERMS =
      new ServerCluster.Terms(1, 2, HEAP_MEGABYTES, WRITERS, 0);

  @Test
  void answerEveryUpdateWhileOneOfThemIsDead() throws Exception {
    ServerCluster.writeThrough(
        TERMS,
        cluster -> {
          cluster.awaitAcknowledged(SOME);
          cluster.server(0).kill();
          awaitAnswersToAll(cluster);
          cluster.startAgain(0);
        });
  }

  /** Its sockets are still there: what is sent to it fills them. */
  @Test
  void answerEveryUpdateWhileOneOfThemIsStopped() throws Exception {
    ServerCluster.writeThrough(
        TERMS,
        cluster -> {
          cluster.awaitAcknowledged(SOME);
          cluster.server(0).suspend();
          try {
            awaitAnswersToAll(cluster);
          } finally {
            cluster.server(0).resume();
          }
        });
  }

  private static void awaitAnswersToAll(ServerCluster cluster) throws Exception {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SILENT_MILLIS);
    while (System.nanoTime() < endNanos) {
      cluster.awaitAcknowledged(SOME);
    }
    assertThat(cluster.askClient("rest")).endsWith(" acknowledged, 0 unknown, 0 refused");
  }
}
