package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A service that gives something else at every server. */
class NotDeterministicTest {
  /** Writes who executes. */
  private static final class SignedBoard implements Board {
    private final BoardService board;
    private final String signature;

    SignedBoard(State state, int server) {
      this.board = new BoardService(state);
      this.signature = " from " + server;
    }

    @Override
    public long add(String name, long count) {
      return board.add(name, count);
    }

    @Override
    public long count(String name) {
      return board.count(name);
    }

    @Override
    public @Nullable String write(String name, @Nullable String note) {
      return board.write(name, note + signature);
    }

    @Override
    public @Nullable String note(String name) {
      return board.note(name);
    }

    @Override
    public void fail(String name) {
      board.fail(name);
    }

    @Override
    public int failRead() {
      return board.failRead();
    }
  }

  @Test
  void isNamedAndTheServersComeToOneState() throws InterruptedException {
    AtomicInteger servers = new AtomicInteger();
    List<String> told = new CopyOnWriteArrayList<>();
    try (TestCluster cluster =
            TestCluster.of(
                3,
                false,
                () -> {
                  int server = servers.incrementAndGet();
                  return Map.of(
                      "board",
                      ServiceInstance.of(Board.class, state -> new SignedBoard(state, server)));
                });
        FrontEnd frontEnd = cluster.frontEnd()) {
      for (LocalNode node : cluster.nodes) {
        node.onDiverged((service, collections) -> {
          throw new IllegalStateException("a listener's bug, logged on purpose");
        });
        node.onDiverged((service, collections) -> told.add(service + collections));
      }
      Board board = frontEnd.service(Board.class);
      board.add("a", 1);
      board.write("a", "hello");

      eventually("two servers take the state of the third", () -> diverged(cluster) >= 2);
      assertThat(told).hasSizeGreaterThanOrEqualTo(2).containsOnly("board[map 'notes']");
      eventually("all answer the same", () -> notes(board).size() == 1);
      assertThat(board.count("a")).isEqualTo(1);
    }
  }

  private static long diverged(TestCluster cluster) throws InterruptedException {
    long diverged = 0;
    for (LocalNode node : cluster.nodes) {
      diverged += node.status().services().getFirst().diverged();
    }
    return diverged;
  }

  private static Set<@Nullable String> notes(Board board) {
    Set<@Nullable String> notes = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      notes.add(board.note("a"));
    }
    return notes;
  }
}
