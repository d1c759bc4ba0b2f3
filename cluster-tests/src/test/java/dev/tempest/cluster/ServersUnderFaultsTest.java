package dev.tempest.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that lose datagrams and write checkpoints of services and collections that grow, and are
 * killed, stopped and cut off in turn, or killed all at once, while there are bursts of updates.
 */
final class ServersUnderFaultsTest {
  private static final long FAULTS_MILLIS = 1_000 * Long.getLong("faultSeconds", 20);

  /** Between two faults: gossip brings everything everywhere within a few rounds. */
  private static final long CALM_MILLIS = 2_000;

  private static final int FAULT_MIN_MILLIS = 1_000;
  private static final int FAULT_MAX_MILLIS = 5_000;

  /** Ten minutes of bursts leave half a million texts, with more heap than others have. */
  private static final ServerCluster.Terms TERMS = new ServerCluster.Terms(1, 2, 1_024, 8, 5);

  /** What happens to servers, of which one is the victim. */
  private enum Fault {
    KILL,
    STOP,
    CUT_OFF,
    BLACKOUT,
    BLACKOUT_IN_CUT
  }

  @TempDir Path folder;

  private final List<Fault> faults = new ArrayList<>();

  @Test
  void keepWhatTheyAcknowledged() throws Exception {
    Files.createDirectory(folder.resolve(ServerProgram.CHECKPOINTS));
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    try {
      ServerCluster.writeThrough(TERMS, folder, cluster -> befall(cluster, random));
    } catch (Exception | AssertionError failed) {
      throw new AssertionError("-Dseed=" + seed + " after " + faults, failed);
    }
    Map<Fault, Long> counts =
        faults.stream()
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    System.out.println("cluster tests: that was after " + counts);
  }

  /** Each fault comes once before one comes again, and once however short the time is. */
  private void befall(ServerCluster cluster, Random random) throws Exception {
    cluster.keepLedgers();
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAULTS_MILLIS);
    List<Fault> next = new ArrayList<>();
    while (System.nanoTime() < endNanos || faults.size() < Fault.values().length) {
      if (next.isEmpty()) {
        next.addAll(List.of(Fault.values()));
        Collections.shuffle(next, random);
      }
      Thread.sleep(CALM_MILLIS);
      Fault fault = next.removeFirst();
      faults.add(fault);
      cluster.askClient("burst");
      int victim = random.nextInt(ServerCluster.SERVERS);
      befall(cluster, fault, victim, random.nextInt(FAULT_MIN_MILLIS, FAULT_MAX_MILLIS));
    }
  }

  private void befall(ServerCluster cluster, Fault fault, int victim, long millis)
      throws Exception {
    switch (fault) {
      case KILL -> cluster.restart(victim, millis);
      case STOP -> {
        cluster.server(victim).suspend();
        Thread.sleep(millis);
        cluster.server(victim).resume();
      }
      case CUT_OFF -> {
        cluster.network().cutOff(victim + 1);
        Thread.sleep(millis);
        cluster.network().heal();
      }
      case BLACKOUT -> Blackout.of(folder).befall(cluster);
      case BLACKOUT_IN_CUT -> {
        cluster.network().cutOff(victim + 1);
        Thread.sleep(millis);
        Blackout.besides(folder, victim).strike(cluster);
        cluster.network().heal();
        cluster.startAll();
      }
    }
  }
}
