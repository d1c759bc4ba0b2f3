package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that come back from what they have written. */
final class CheckpointsTest {
  @TempDir Path folder;

  private final JoinedNodes nodes = new JoinedNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void theLastNodeThatIsClosedComesBackWithAllThatItHad() {
    try (Node node = join("a")) {
      node.host("board", Board.class, BoardService::new);
      node.map("carts", String.class, String.class).put("ann", "tea");
      node.counter("visits").add(3);
      assertThat(board(node).add("a", 2)).isEqualTo(2);
    }

    Node again = join("a");
    again.host("board", Board.class, BoardService::new);

    assertThat(again.map("carts", String.class, String.class)).containsEntry("ann", "tea");
    assertThat(again.counter("visits").get()).isEqualTo(3);
    assertThat(board(again).add("a", 1)).isEqualTo(3);
  }

  @Test
  void whatDidNotChangeIsNotWrittenAnew() throws Exception {
    try (Node node = join("a")) {
      node.map("carts", String.class, String.class).put("ann", "tea");
    }
    List<Path> written = files();
    try (Node node = join("a")) {
      assertThat(node.map("carts", String.class, String.class)).hasSize(1);
    }

    assertThat(files()).isEqualTo(written).hasSize(1);
  }

  @Test
  void aFolderBelongsToOneProcess() {
    join("a");

    assertThatThrownBy(() -> join("a"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another process has its checkpoints in " + folder.resolve("a"));
  }

  private List<Path> files() throws Exception {
    try (var files = Files.list(folder.resolve("a"))) {
      return files.filter(file -> file.toString().endsWith(".checkpoint")).sorted().toList();
    }
  }

  private static Board board(Node node) {
    return node.frontEnd().service(Board.class);
  }

  private Node join(String name) {
    String own = folder.resolve(name).toString();
    return nodes.join(nodes.config().toBuilder().checkpointFolder(own).build());
  }
}
