package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Many front-ends of one process. */
class FrontEndsTest {
  private static final int MANY = 5_000;

  /** Servers have room for so many updates, however slow they are. */
  private static final int AT_ONCE = 500;

  @Test
  void aDeadlineShorterThanTheFirstWaitShortensIt() {
    Duration deadline = Duration.ofMillis(20);
    assertThat(FrontEndConfig.builder("a:1").deadline(deadline).build().retryAfter())
        .isEqualTo(deadline);
    assertThat(FrontEndConfig.of("a:1").retryAfter()).isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void anySpellingOfAnAddressWillDo() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(1, false);
        FrontEnd frontEnd =
            FrontEnd.connect(
                FrontEndConfig.builder(cluster.servers.get(0).replace("127.0.0.1", "localhost"))
                    .multicastPort(0)
                    .deadline(TestCluster.PATIENCE)
                    .build())) {
      Board board = frontEnd.service(Board.class);

      assertThat(board.add("a", 1)).isOne();
      assertThat(board.count("a")).isOne();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX) // Others do not say what is open.
  void thousandsShareTheirSocketsAndEachIsServedOnce() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd first = cluster.frontEnd()) {
      first.service(Board.class).add("all", 1); // Whatever opens with the first request is open.
      long before = openFiles();
      List<FrontEnd> frontEnds = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        frontEnds.add(cluster.frontEnd());
      }
      for (int from = 0; from < MANY; from += AT_ONCE) {
        addOne(frontEnds.subList(from, from + AT_ONCE));
      }
      assertThat(openFiles() - before).isLessThan(20); // Files of others may come and go.

      frontEnds.forEach(FrontEnd::close);
      eventually("every update once, everywhere", () -> executedEverywhere(cluster, MANY + 1));
      Board board = first.service(Board.class);
      assertThat(board.count("all")).isEqualTo(MANY + 1);
    }
  }

  /** Half of them by waiting threads, half without. */
  private static void addOne(List<FrontEnd> frontEnds) throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Outcome<Long>>> counts = new ArrayList<>();
      for (int i = 0; i < frontEnds.size(); i += 2) {
        FrontEnd waiting = frontEnds.get(i);
        FrontEnd asynchronous = frontEnds.get(i + 1);
        counts.add(
            callers.submit(() -> {
              Board board = waiting.service(Board.class);
              Outcome<Long> added = waiting.outcome(board, b -> b.add("all", 1));
              while (added instanceof Outcome.Unable) { // A slow machine has no room for all.
                added = waiting.outcome(board, b -> b.add("all", 1));
              }
              return waiting.outcome(board, b -> b.count("all"));
            }));
        Board board = asynchronous.service(Board.class);
        counts.add(
            addAsync(asynchronous, board)
                .thenCompose(added -> asynchronous.<Board, Long>async(board, b -> b.count("all"))));
      }
      for (Future<Outcome<Long>> count : counts) {
        assertThat(count.get()).isInstanceOf(Outcome.Ok.class);
      }
    }
  }

  private static CompletableFuture<Outcome<Long>> addAsync(FrontEnd frontEnd, Board board) {
    return frontEnd
        .<Board, Long>async(board, b -> b.add("all", 1))
        .thenCompose(added ->
            added instanceof Outcome.Unable
                ? addAsync(frontEnd, board)
                : CompletableFuture.completedFuture(added));
  }

  @Test
  void closingOneLeavesTheOthersWorking() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(1, false);
        FrontEnd other = cluster.frontEnd()) {
      FrontEnd one = cluster.frontEnd();
      Board closedBoard = one.service(Board.class);
      Board board = other.service(Board.class);
      board.add("a", 1);
      cluster.nodes.get(0).close();
      CompletableFuture<Outcome<Long>> given = one.async(closedBoard, b -> b.add("a", 1));
      CompletableFuture<Outcome<Long>> kept = other.async(board, b -> b.add("a", 1));
      one.close();
      one.close();

      assertThat(given.join()).isInstanceOf(Outcome.Unknown.class);
      assertThat(one.outcome(closedBoard, b -> b.add("a", 1)))
          .isEqualTo(new Outcome.Unknown<>("The front-end is closed"));
      cluster.nodes.set(0, cluster.start(cluster.servers.get(0)));
      assertThat(kept.join()).isInstanceOf(Outcome.Ok.class);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theLastCloseFreesTheSockets() throws Exception {
    try (TestCluster cluster = TestCluster.of(1, false)) {
      cluster.frontEnd().close();
      long before = openFiles();
      FrontEnd one = cluster.frontEnd();
      FrontEnd other = cluster.frontEnd();
      FrontEnd elsewhere = FrontEnd.connect(cluster.frontEndConfig().cluster("elsewhere").build());
      one.close();
      assertThat(other.service(Board.class).add("a", 1)).isOne();
      assertThat(openFiles()).isGreaterThan(before);
      other.close();
      elsewhere.close();

      eventually("all sockets are closed", () -> openFiles() <= before);
      try (FrontEnd again = cluster.frontEnd()) {
        assertThat(again.service(Board.class).count("a")).isOne();
      }
    }
  }

  private static boolean executedEverywhere(TestCluster cluster, long count)
      throws InterruptedException {
    for (LocalNode node : cluster.nodes) {
      if (node.status().services().get(0).executed() != count) {
        return false;
      }
    }
    return true;
  }

  private static long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
