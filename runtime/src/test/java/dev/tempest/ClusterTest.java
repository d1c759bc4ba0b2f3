package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Outcome.Reason;
import dev.tempest.admin.Admin;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Update;
import dev.tempest.wire.Message.ServiceStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterTest {
  @ParameterizedTest(name = "multicast {0}")
  @ValueSource(booleans = {true, false})
  void aRequestReturnsWhatTheMethodReturned(boolean multicast) throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, multicast);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Board board = frontEnd.service(Board.class);

      assertThat(board.add("a", 2)).isEqualTo(2);
      assertThat(board.add("a", 3)).isEqualTo(5);
      assertThat(board.write("a", "first")).isNull();
      assertThat(board.write("a", null)).isEqualTo("first");
      eventually("every replica reads it", () -> board.count("a") == 5);
      assertThat(frontEnd.outcome(board, b -> b.add("a", 1))).isEqualTo(new Outcome.Ok<>(6L));
      assertThat(frontEnd.<Board, Long>async(board, b -> b.add("a", 1)).join())
          .isEqualTo(new Outcome.Ok<>(7L));
    }
  }

  @Test
  void whatAMethodThrowsComesBackAndNothingItWroteIsKept() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Board board = frontEnd.service(Board.class);

      assertThatThrownBy(() -> board.fail("a"))
          .isInstanceOf(ServiceException.class)
          .hasMessageContaining("IllegalStateException")
          .hasMessageContaining("not a");
      assertThat(frontEnd.outcome(board, Board::failRead)).isInstanceOf(Outcome.Threw.class);
      assertThat(board.count("a")).isZero();
    }
  }

  /** What the board does not have. */
  interface OtherBoard {
    /** Not a method of the board. */
    @Update
    int missing();
  }

  @Test
  void whatNobodyHasIsRefusedByName() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Board elsewhere = frontEnd.service("Bord", Board.class);
      OtherBoard other = frontEnd.service("board", OtherBoard.class);

      assertThatThrownBy(() -> elsewhere.add("a", 1))
          .isInstanceOf(UnableException.class)
          .hasMessageContaining("UNKNOWN_SERVICE")
          .hasMessageContaining("did you mean 'board'?");
      assertThat(frontEnd.outcome(elsewhere, b -> b.count("a")))
          .isInstanceOfSatisfying(
              Outcome.Unable.class,
              unable -> assertThat(unable.reason()).isEqualTo(Reason.UNKNOWN_SERVICE));
      assertThatThrownBy(other::missing)
          .isInstanceOfSatisfying(
              UnableException.class,
              unable -> assertThat(unable.reason()).isEqualTo(Reason.UNKNOWN_METHOD));
    }
  }

  @Test
  void aThousandCallersAreEachServedOnce() throws Exception {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Board board = frontEnd.service(Board.class);
      List<Future<Long>> answers = new ArrayList<>();
      for (int caller = 0; caller < 1_000; caller++) {
        String name = "caller " + caller;
        answers.add(
            callers.submit(() -> {
              board.add(name, 1);
              return board.add("all", 1);
            }));
      }
      for (Future<Long> answer : answers) {
        assertThat(answer.get()).isBetween(1L, 1_000L);
      }

      eventually("2,000 entries everywhere", () -> inStep(cluster, 2_000));
      assertThat(board.count("all")).isEqualTo(1_000);
      assertThat(board.count("caller 999")).isEqualTo(1);
    }
  }

  @Test
  void whatDoesNotFitADatagramGoesByStream() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Board board = frontEnd.service(Board.class);
      String large = "x".repeat(3 << 20);

      assertThat(board.write("large", large)).isNull();
      eventually("1 entry everywhere", () -> inStep(cluster, 1)); // A datagram would overtake it.
      assertThat(large.equals(board.write("large", "small"))).isTrue();

      eventually("2 entries everywhere", () -> inStep(cluster, 2));
      assertThat(cluster.nodes.get(0).counters()).containsKey("STREAM_FRAMES_RECEIVED");
    }
  }

  @ParameterizedTest(name = "multicast {0}")
  @ValueSource(booleans = {true, false})
  void aLossyNetworkLosesNoUpdateAndDoublesNone(boolean multicast) throws Exception {
    try (TestCluster cluster = TestCluster.losing(30, () -> TestCluster.of(3, multicast));
        FrontEnd frontEnd = TestCluster.losing(30, cluster::frontEnd)) {
      Board board = frontEnd.service(Board.class);
      List<CompletableFuture<Outcome<Long>>> answers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        answers.add(frontEnd.async(board, b -> b.add("sum", 1)));
      }
      answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(Outcome.Ok.class));

      eventually("300 entries everywhere", () -> inStep(cluster, 300));
      assertThat(board.count("sum")).isEqualTo(300);
      assertThat(cluster.nodes.get(0).counters()).containsKey("DATAGRAMS_DROPPED");
    }
  }

  @Test
  void aRestartedServerTakesTheStateFromItsPeers() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd();
        Admin admin = cluster.admin()) {
      Board board = frontEnd.service(Board.class);
      String large = "x".repeat(1 << 20);
      board.write("before", large);
      cluster.nodes.get(0).close();
      board.add("meanwhile", 1);
      cluster.nodes.set(0, cluster.start(cluster.servers.get(0)));
      cluster.awaitActive();
      assertThat(cluster.nodes.get(0).joined())
          .filteredOn(joined -> joined.service().equals("board"))
          .singleElement()
          .satisfies(joined -> {
            assertThat(joined.from()).isIn(cluster.servers.subList(1, 3));
            assertThat(joined.updates()).isEqualTo(2);
          });
      board.add("after", 1);

      eventually("3 entries everywhere", () -> inStep(cluster, 3));
      var state = admin.state("board", cluster.servers.get(0));
      assertThat(state.settled() + state.unsettled()).isEqualTo(3);
    }
  }

  @Test
  void withMoreAcksAnUpdateIsAtSoManyReplicas() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = FrontEnd.connect(cluster.frontEndConfig().acks(3).build())) {
      frontEnd.service(Board.class).add("a", 1);

      assertThat(inStep(cluster, 1)).isTrue();
    }
  }

  @Test
  void toolsSeeServersServicesAndState() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(3, true);
        Admin admin = cluster.admin()) {
      var board = admin.describe("board");
      var add = board.methods().stream().filter(m -> m.name().equals("add")).findAny();
      var unknown = admin.describe("Bord");

      assertThat(add).isPresent();
      assertThat(admin.call("board", add.orElseThrow(), "a", 4L))
          .isEqualTo(new Outcome.Ok<Object>(4L));
      assertThatThrownBy(() -> admin.call("board", add.orElseThrow(), "a", "4"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("argument 2");
      assertThat(unknown.methods()).isEmpty();
      assertThat(unknown.hosted()).containsExactly("board");
      assertThat(admin.status().keySet()).containsExactlyElementsOf(cluster.servers);
      eventually("1 entry everywhere", () -> inStep(cluster, 1));
      for (String server : cluster.servers) {
        var state = admin.state("board", server);
        assertThat(state.settled() + state.unsettled()).isEqualTo(1);
        assertThat(state.contents(BoardService.class).values()).contains(Map.of("a", 4L));
      }
      cluster.nodes.get(2).close();
      assertThat(admin.status().keySet()).containsExactlyElementsOf(cluster.servers.subList(0, 2));
    }
  }

  /** Whether every replica has so many entries, the same ones. */
  private static boolean inStep(TestCluster cluster, long executed) throws InterruptedException {
    Set<Long> hashes = new HashSet<>();
    for (LocalNode node : cluster.nodes) {
      ServiceStatus status = node.status().services().get(0);
      if (status.executed() != executed) {
        return false;
      }
      hashes.add(status.hash());
    }
    return hashes.size() == 1;
  }
}
