package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Ballots;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.execution.ServiceInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Real servers that vote for the places of updates. */
class FastBallotsTest {
  private static final Order ORDER =
      new Order.ByConsensus(Executes.ALL, Reads.LINEARIZABLE, Log.MEMORY).withBallots(Ballots.FAST);
  private static final int CALLERS = 8;
  private static final int CALLS = 200;

  private static TestCluster start() throws InterruptedException {
    return TestCluster.of(
        3, false, ORDER, () -> Map.of("board", ServiceInstance.of(Board.class, BoardService::new)));
  }

  private static boolean hasVoted(LocalNode node) {
    try {
      return node.status().services().stream().anyMatch(service -> service.byVotes() > 0);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void oneAfterTheOther() throws Exception {
    try (TestCluster cluster = start();
        FrontEnd frontEnd = cluster.frontEnd()) {
      Board board = frontEnd.service("board", Board.class);
      for (long i = 1; i <= CALLS; i++) {
        assertThat(board.add("a", 1)).isEqualTo(i);
      }
      Eventually.eventually(
          "all have voted", () -> cluster.nodes.stream().allMatch(FastBallotsTest::hasVoted));
      cluster.nodes.removeFirst().close();
      for (long i = 1; i <= CALLS; i++) {
        assertThat(board.add("a", 1)).isEqualTo(CALLS + i);
      }
    }
  }

  @Test
  void manyAtOnce() throws Exception {
    try (TestCluster cluster = start();
        FrontEnd frontEnd = cluster.frontEnd();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Board board = frontEnd.service("board", Board.class);
      Callable<List<Long>> calls =
          () -> {
            List<Long> sums = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
              sums.add(board.add("a", 1));
            }
            return sums;
          };
      List<Future<List<Long>>> all = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        all.add(threads.submit(calls));
      }
      List<Long> sums = new ArrayList<>();
      for (Future<List<Long>> each : all) {
        assertThat(each.get()).isSorted();
        sums.addAll(each.get());
      }
      assertThat(sums)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.rangeClosed(1, CALLERS * CALLS).boxed().toList());
    }
  }
}
