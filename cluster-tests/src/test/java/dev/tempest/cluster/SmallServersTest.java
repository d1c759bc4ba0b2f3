package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers with little memory and much to do, of which one dies. */
final class SmallServersTest {
  private static final int HEAP_MEGABYTES = 128;
  private static final int WRITERS = 32;
  private static final int SOME = 500;

  /** Much longer than a member that says nothing is waited for. */
  private static final long DEAD_MILLIS = 12_000;

  @Test
  void answerEveryUpdateWhileOneOfThemIsDead() throws Exception {
    ServerCluster.writeThrough(
        new ServerCluster.Terms(1, 2, HEAP_MEGABYTES, WRITERS, 0),
        cluster -> {
          cluster.awaitAcknowledged(SOME);
          cluster.server(0).kill();
          long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEAD_MILLIS);
          while (System.nanoTime() < endNanos) {
            cluster.awaitAcknowledged(SOME);
          }
          assertThat(cluster.askClient("rest")).endsWith(" acknowledged, 0 unknown, 0 refused");
          cluster.startAgain(0);
        });
  }
}
