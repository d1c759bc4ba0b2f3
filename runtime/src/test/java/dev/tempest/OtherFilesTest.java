package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node does not begin without what its folder holds, whichever files it is in. */
@Timeout(120)
final class OtherFilesTest {
  private static final ServiceOptions LINEARIZABLE =
      ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
  private static final CollectionConfig AGREED =
      CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build();

  @TempDir Path folder;

  private final String member = "127.0.0.1:" + FreePorts.find(1).getFirst();

  private NodeConfig.Builder in(String place) {
    return NodeConfig.builder()
        .listen(member)
        .members(member)
        .multicastPort(0)
        .checkpointFolder(folder.resolve(place).toString())
        .checkpointEvery(Duration.ofHours(1));
  }

  private static Board host(Node node, ServiceOptions options) {
    node.host("board", Board.class, BoardService::new, options);
    return node.frontEnd().service("board", Board.class);
  }

  private static void assertRefused(Node node, ServiceOptions options, String why) {
    assertThatThrownBy(() -> host(node, options))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("ost it as before");
  }

  /** What is there if the process is killed now. */
  private List<String> copy(String from, String to) throws IOException {
    Path copied = Files.createDirectories(folder.resolve(to));
    try (Stream<Path> files = Files.list(folder.resolve(from))) {
      for (Path file : files.toList()) {
        Files.copy(file, copied.resolve(file.getFileName()));
      }
    }
    Files.delete(copied.resolve("lock"));
    try (Stream<Path> files = Files.list(copied)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aServiceDoesNotBeginWithoutALogThatNoCheckpointHasYet() throws Exception {
    try (Node node = Tempest.join(in("first").log(Log.DISK).build())) {
      assertThat(host(node, LINEARIZABLE).add("a", 1)).isEqualTo(1);
      assertThat(copy("first", "killed")).containsExactly("board.1.log");
    }
    try (Node node = Tempest.join(in("killed").build())) {
      assertRefused(node, LINEARIZABLE, "there is a log of board in " + folder.resolve("killed"));
      assertRefused(node, ServiceOptions.defaults(), "there is a log of board in ");
    }
    try (Node node = Tempest.join(in("killed").log(Log.DISK).build())) {
      assertRefused(node, ServiceOptions.defaults(), "consistency: eventual begins without it");
      assertThat(host(node, LINEARIZABLE).count("a")).isEqualTo(1);
    }
  }

  @Test
  void norWithoutOneThatWasSetAside() throws Exception {
    Files.createFile(Files.createDirectory(folder.resolve("aside")).resolve("board.1.log.damaged"));
    try (Node node = Tempest.join(in("aside").build())) {
      assertRefused(node, LINEARIZABLE, "there is a log of board");
      assertRefused(node, ServiceOptions.defaults(), "there is a log of board");
    }
  }

  @Test
  void aNodeDoesNotBeginWithoutALogOfItsCollections() throws Exception {
    NodeConfig agreed = in("first").log(Log.DISK).collection("seats", AGREED).build();
    try (Node node = Tempest.join(agreed)) {
      node.map("seats", String.class, String.class).put("1a", "alice");
      assertThat(copy("first", "killed")).containsExactly("linearizable collections.1.log");
    }
    for (NodeConfig other :
        List.of(
            in("killed").build(),
            in("killed").log(Log.DISK).build(),
            in("killed").collection("seats", AGREED).build())) {
      assertThatThrownBy(() -> Tempest.join(other).close())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("there is a log of linearizable collections in ");
    }
    NodeConfig asBefore = in("killed").log(Log.DISK).collection("seats", AGREED).build();
    try (Node node = Tempest.join(asBefore)) {
      assertThat(node.map("seats", String.class, String.class)).containsEntry("1a", "alice");
    }
  }

  @Test
  void aCheckpointOfTheOtherConsistencyIsCalledThat() throws Exception {
    try (Node node = Tempest.join(in("eventual").build())) {
      host(node, ServiceOptions.defaults()).add("a", 1);
    }
    try (Node node = Tempest.join(in("eventual").log(Log.DISK).build())) {
      assertRefused(
          node, LINEARIZABLE, "board cannot read it: it was written with consistency: eventual");
    }
    try (Node node = Tempest.join(in("agreed").log(Log.DISK).build())) {
      host(node, LINEARIZABLE).add("a", 1);
    }
    Files.delete(folder.resolve("agreed/board.1.log"));
    try (Node node = Tempest.join(in("agreed").build())) {
      assertRefused(
          node,
          ServiceOptions.defaults(),
          "board cannot read it: it was written with consistency: linearizable");
    }
  }
}
