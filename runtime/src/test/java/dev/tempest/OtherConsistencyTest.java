package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is kept with one consistency is not hidden, replaced or stopped by the other one. */
@Timeout(120)
final class OtherConsistencyTest {
  private static final ServiceOptions LINEARIZABLE =
      ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();
  private final List<String> members =
      FreePorts.find(2).stream().map(port -> "127.0.0.1:" + port).toList();

  @TempDir Path folder;

  @Test
  void aNodeDoesNotHostAServiceOtherwiseThanThoseThatHaveItsState() {
    Node one = nodes.join(member(0));
    Node two = nodes.join(member(1));
    one.host("board", Board.class, BoardService::new);
    Board board = one.frontEnd().service("board", Board.class);
    board.add("a", 1);
    assertThatThrownBy(() -> two.host("board", Board.class, BoardService::new, LINEARIZABLE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("service board")
        .hasMessageContaining("consistency: eventual at " + members.getFirst());
    assertThat(board.add("a", 1)).isEqualTo(2); // Whoever has the state goes on.
  }

  @Test
  void aLinearizableCollectionDoesNotHideTheEntriesOfAnEventualOne() {
    Node one = nodes.join(member(0));
    Map<String, String> seats = one.map("seats", String.class, String.class);
    seats.put("1a", "alice");
    assertThatThrownBy(() -> nodes.join(withLinearizableSeats(1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("collection seats: it is linearizable here");
    assertThat(seats).containsEntry("1a", "alice");
  }

  /** It has joined by a file that lacks the collection, and sells seats that are sold. */
  @Test
  void nodesWithALinearizableCollectionSayThatAnotherOneHasItEventual() {
    try (Logged logged = new Logged();
        LocalNode linearizable = LocalNode.start(withLinearizableSeats(0))) {
      nodes.join(member(1)).map("seats", String.class, String.class).put("1a", "alice");
      Eventually.eventually(
          "it says so",
          () -> logged.says("'seats' is linearizable here and eventual at another node"));
      assertThat(linearizable.members()).hasSize(2);
    }
  }

  @Test
  void aLinearizableServiceDoesNotBeginWithoutWhatACheckpointHolds() {
    NodeConfig alone =
        NodeConfig.builder()
            .cluster(nodes.config().cluster())
            .listen(members.getFirst())
            .members(members.getFirst())
            .multicastPort(0)
            .checkpointFolder(folder.toString())
            .checkpointEvery(Duration.ofHours(1))
            .build();
    try (Node first = Tempest.join(alone)) {
      first.host("board", Board.class, BoardService::new);
      first.frontEnd().service("board", Board.class).add("a", 1);
    }
    try (Node again = Tempest.join(alone)) {
      assertThatThrownBy(() -> again.host("board", Board.class, BoardService::new, LINEARIZABLE))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("there is a checkpoint of board");
      again.host("board", Board.class, BoardService::new);
      assertThat(again.frontEnd().service("board", Board.class).count("a")).isEqualTo(1);
    }
  }

  private NodeConfig withLinearizableSeats(int place) {
    return builder(place)
        .collection(
            "seats", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
        .build();
  }

  private NodeConfig member(int place) {
    return builder(place).build();
  }

  private NodeConfig.Builder builder(int place) {
    return NodeConfig.builder()
        .cluster(nodes.config().cluster())
        .listen(members.get(place))
        .members(members.toArray(String[]::new))
        .multicastPort(0);
  }
}
