package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Update;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that starts while the only member is busy, and answers nobody. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BusyMemberTest {
  /** A service with a slow method. */
  public interface Slow {
    /** Returns when the test lets it. */
    @Update
    void work();
  }

  private final class SlowService implements Slow {
    @Override
    public void work() {
      working.countDown();
      try {
        returning.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final CountDownLatch working = new CountDownLatch(1);
  private final CountDownLatch returning = new CountDownLatch(1);
  private final Logged logged = new Logged();

  @AfterEach
  void close() {
    returning.countDown();
    logged.close();
  }

  @Test
  void aNodeOfAListDoesNotStartEmpty() throws InterruptedException {
    List<Integer> ports = FreePorts.find(2);
    String[] members = {"127.0.0.1:" + ports.get(0), "127.0.0.1:" + ports.get(1)};
    NodeConfig listed = NodeConfig.builder().cluster("busy").members(members).build();
    joinsWithState(
        listed.toBuilder().listen(members[0]).build(),
        listed.toBuilder().listen(members[1]).build());
  }

  @Test
  void aNodeThatSearchesThisMachineDoesNotStartEmpty() throws InterruptedException {
    NodeConfig searching =
        NodeConfig.builder()
            .cluster("busy-" + ProcessHandle.current().pid())
            .listen("127.0.0.1")
            .multicastPort(0)
            .build();
    joinsWithState(searching, searching);
  }

  @Test
  void aServiceThatOnlyABusyMemberHasDoesNotStartEmpty() throws InterruptedException {
    List<Integer> ports = FreePorts.find(2);
    String[] members = {"127.0.0.1:" + ports.get(0), "127.0.0.1:" + ports.get(1)};
    NodeConfig listed = NodeConfig.builder().cluster("busy").members(members).build();
    try (Node first = Tempest.join(listed.toBuilder().listen(members[0]).build());
        Node second = Tempest.join(listed.toBuilder().listen(members[1]).build());
        FrontEnd frontEnd = first.frontEnd()) {
      first.host("slow", Slow.class, state -> new SlowService());
      first.host("board", Board.class, BoardService::new);
      frontEnd.service("board", Board.class).add("a", 3);
      var unused = frontEnd.async(frontEnd.service("slow", Slow.class), BusyMemberTest::work);
      working.await();

      CompletableFuture<Void> hosting = CompletableFuture.runAsync(() -> hostBoard(second));
      eventually(
          "it says that it waits",
          () -> logged.says("no member that may have it answers") || hosting.isDone());
      assertThat(hosting).isNotDone();
      returning.countDown();
      hosting.join();
      try (FrontEnd there = second.frontEnd()) {
        assertThat(there.service("board", Board.class).count("a")).isEqualTo(3);
      }
    }
  }

  private void joinsWithState(NodeConfig one, NodeConfig other) throws InterruptedException {
    try (Node first = Tempest.join(one);
        FrontEnd frontEnd = first.frontEnd()) {
      first.host("slow", Slow.class, state -> new SlowService());
      first.map("prices").put("pin", 3);
      var unused = frontEnd.async(frontEnd.service("slow", Slow.class), BusyMemberTest::work);
      working.await();

      CompletableFuture<Node> joining = CompletableFuture.supplyAsync(() -> Tempest.join(other));
      eventually(
          "it says for whom it waits", () -> logged.says("does not answer") || joining.isDone());
      assertThat(joining).isNotDone();
      returning.countDown();
      try (Node second = joining.join()) {
        Map<String, Integer> prices = second.map("prices");
        assertThat(prices).containsEntry("pin", 3);
      }
    }
  }

  private static void hostBoard(Node node) {
    node.host("board", Board.class, BoardService::new);
  }

  private static Void work(Slow service) {
    service.work();
    return null;
  }
}
