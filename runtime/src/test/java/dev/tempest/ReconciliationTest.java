package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.ReconciliationAware;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers that give updates up, over sockets that lose half of everything. */
class ReconciliationTest {
  private static final int UPDATES = 50;

  private final List<Reconciliation> told = new CopyOnWriteArrayList<>();

  /** Looks at its state where it is told, and then has a bug. */
  private final class ToldBoard implements Board, ReconciliationAware {
    private final BoardService board;

    ToldBoard(State state) {
      board = new BoardService(state);
    }

    @Override
    public void reconciled(Reconciliation what) {
      told.add(what);
      if (told.size() == 1 && board.count("a") <= UPDATES) {
        throw new IllegalStateException("a service's bug, logged on purpose");
      }
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
      return board.write(name, note);
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
  void aServiceIsToldWhatWasGivenUpAndTheServersComeToOneState() throws Exception {
    try (TestCluster cluster =
            TestCluster.losing(
                50,
                () ->
                    TestCluster.of(
                        2,
                        false,
                        Order.EVENTUAL.withAdopts(true),
                        () -> Map.of("board", ServiceInstance.of(Board.class, ToldBoard::new))));
        FrontEnd frontEnd = cluster.frontEnd()) {
      Board board = frontEnd.service(Board.class);
      for (int i = 0; i < UPDATES; i++) {
        board.add("a", 1);
      }
      eventually(
          "one gives something up",
          () -> told.stream().anyMatch(what -> what.withdrawn().count() > 0));
      // None where as many were taken as were given up.
      assertThat(told).allMatch(what -> List.of("map 'counts'").containsAll(what.collections()));
      eventually("the servers have the same", () -> hashes(cluster).size() == 1);
      assertThat(board.count("a")).isBetween(1L, (long) UPDATES);
    }
  }

  private static Set<Long> hashes(TestCluster cluster) throws InterruptedException {
    Set<Long> hashes = new HashSet<>();
    for (LocalNode node : cluster.nodes) {
      hashes.add(node.status().services().getFirst().hash());
    }
    return hashes;
  }
}
