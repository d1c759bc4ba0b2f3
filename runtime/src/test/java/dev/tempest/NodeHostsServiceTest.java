package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications that host services beside their collections. */
class NodeHostsServiceTest {
  private static final int CALLS = 100;

  private final List<Integer> ports = FreePorts.find(2);
  private final List<Node> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(Node::close);
  }

  @Test
  void callsGoOnAndNothingIsLostWhenAHostLeaves() {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    long added;
    try (FrontEnd frontEnd = frontEnd(ports)) {
      Board board = frontEnd.service(Board.class);
      added = add(board, CALLS);
      Node second = join(1);
      second.host("board", Board.class, BoardService::new);
      added += add(board, CALLS);

      CompletableFuture<Void> leaving = CompletableFuture.runAsync(first::close);
      while (!leaving.isDone()) {
        added += add(board, 1);
      }
      leaving.join();
      added += add(board, 1);
    }
    try (FrontEnd frontEnd = frontEnd(ports.subList(1, 2))) {
      assertThat(frontEnd.service(Board.class).add("a", 0)).isEqualTo(added);
    }
  }

  @Test
  void aNodeKeepsCollectionsBesideItsService() throws InterruptedException {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    Map<String, Integer> prices = first.map("prices");
    prices.put("pin", 3);
    Node second = join(1);
    Map<String, Integer> pricesThere = second.map("prices");

    eventually("the price there", () -> pricesThere.equals(prices));
  }

  @Test
  void aNameStandsForOneService() {
    Node node = join(0);
    node.host("board", Board.class, BoardService::new);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.host("board", Board.class, BoardService::new))
        .withMessageContaining("board");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.host("collections", Board.class, BoardService::new))
        .withMessageContaining("another name");
  }

  @Test
  void aClosedNodeHostsNothing() {
    Node node = join(0);
    node.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> node.host("board", Board.class, BoardService::new));
  }

  private static long add(Board board, int times) {
    for (int i = 0; i < times; i++) {
      board.add("a", 1);
    }
    return times;
  }

  private Node join(int index) {
    Node node =
        Tempest.join(
            NodeConfig.builder()
                .listen("127.0.0.1:" + ports.get(index))
                .multicastPort(0)
                .loopback(false)
                .seeds(ports.stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new))
                .build());
    nodes.add(node);
    return node;
  }

  private static FrontEnd frontEnd(List<Integer> ports) {
    List<String> servers = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    return FrontEnd.connect(
        FrontEndConfig.builder(servers).multicastPort(0).deadline(TestCluster.PATIENCE).build());
  }
}
