package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.execution.ServiceInstance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred services by consensus, each with a log of its own, share what a process has. */
class ManyGroupsTest {
  private static final int GROUPS = 100;
  private static final List<String> NAMES =
      IntStream.range(0, GROUPS).mapToObj(number -> "board-" + number).toList();

  /** A leader speaks so often to each of two. */
  private static final int MESSAGES_PER_SECOND = 2 * 50;

  /** So many datagrams say how often they are sent. */
  private static final int ENOUGH = 500;

  private static Map<String, ServiceInstance> boards() {
    Map<String, ServiceInstance> boards = new LinkedHashMap<>();
    NAMES.forEach(name -> boards.put(name, ServiceInstance.of(Board.class, BoardService::new)));
    return boards;
  }

  @Test
  void allAreServedAndWhatTheirLeadersSayTravelsTogether() throws Exception {
    try (TestCluster cluster =
            TestCluster.of(3, false, Order.LINEARIZABLE, ManyGroupsTest::boards);
        FrontEnd frontEnd = cluster.frontEnd()) {
      for (int round = 1; round <= 3; round++) {
        for (String name : NAMES) {
          assertThat(frontEnd.service(name, Board.class).add("a", 1)).isEqualTo(round);
        }
      }

      eventually( // Each has begun at a time of its own, and updates shifted that.
          "leaders speak together",
          () -> datagramsInASecond(cluster) < GROUPS * MESSAGES_PER_SECOND / 10.0);

      cluster.nodes.removeFirst().close();
      for (String name : NAMES) {
        assertThat(frontEnd.service(name, Board.class).add("a", 1)).isEqualTo(4);
      }
    }
  }

  /** No log waits for the disk to sync another one. */
  @Test
  void allAreStoredAtOnce(@TempDir Path folder) throws Exception {
    try (TestCluster cluster = TestCluster.storing(3, folder, ManyGroupsTest::boards);
        FrontEnd frontEnd = cluster.frontEnd()) {
      for (String name : NAMES) { // A hundred at once may be too much for code that is cold.
        assertThat(frontEnd.service(name, Board.class).add("a", 1)).isEqualTo(1);
      }
      for (long round = 2; round <= 4; round++) {
        assertThat(addToAll(frontEnd)).containsOnly(round);
      }
    }
  }

  private static List<Long> addToAll(FrontEnd frontEnd) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> adding = new ArrayList<>();
      for (String name : NAMES) {
        adding.add(threads.submit(() -> frontEnd.service(name, Board.class).add("a", 1)));
      }
      List<Long> sums = new ArrayList<>();
      for (Future<Long> each : adding) {
        sums.add(each.get());
      }
      return sums;
    }
  }

  private static double datagramsInASecond(TestCluster cluster) throws InterruptedException {
    long beganNanos = System.nanoTime();
    long before = sent(cluster);
    eventually("leaders speak", () -> sent(cluster) - before > ENOUGH);
    return ENOUGH * 1e9 / (System.nanoTime() - beganNanos);
  }

  private static long sent(TestCluster cluster) {
    return cluster.nodes.stream()
        .map(LocalNode::counters)
        .mapToLong(counters -> counters.getOrDefault("DATAGRAMS_SENT", 0L))
        .sum();
  }
}
