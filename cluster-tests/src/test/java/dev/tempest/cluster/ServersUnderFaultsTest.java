package dev.tempest.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers that lose datagrams, and are killed, stopped and cut off in turn. */
final class ServersUnderFaultsTest {
  private static final long FAULTS_MILLIS = 1_000 * Long.getLong("faultSeconds", 60);

  /** Between two faults: gossip brings everything everywhere within a few rounds. */
  private static final long CALM_MILLIS = 2_000;

  private static final int FAULT_MIN_MILLIS = 1_000;
  private static final int FAULT_MAX_MILLIS = 5_000;

  private final List<String> faults = new ArrayList<>();

  @Test
  void keepWhatTheyAcknowledged() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    try {
      ServerCluster.writeThrough(ServerCluster.Terms.USUAL, cluster -> befall(cluster, random));
    } catch (Exception | AssertionError failed) {
      throw new AssertionError("-Dseed=" + seed + " after " + faults, failed);
    }
    System.out.println("cluster tests: that was after " + faults);
  }

  private void befall(ServerCluster cluster, SplittableRandom random) throws Exception {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAULTS_MILLIS);
    while (System.nanoTime() < endNanos) {
      Thread.sleep(CALM_MILLIS);
      int victim = random.nextInt(ServerCluster.SERVERS);
      long millis = random.nextInt(FAULT_MIN_MILLIS, FAULT_MAX_MILLIS);
      switch (random.nextInt(3)) {
        case 0 -> {
          faults.add("kill");
          cluster.restart(victim, millis);
        }
        case 1 -> {
          faults.add("stop");
          cluster.server(victim).suspend();
          Thread.sleep(millis);
          cluster.server(victim).resume();
        }
        default -> {
          faults.add("cut off");
          cluster.network().cutOff(victim + 1);
          Thread.sleep(millis);
          cluster.network().heal();
        }
      }
    }
  }
}
