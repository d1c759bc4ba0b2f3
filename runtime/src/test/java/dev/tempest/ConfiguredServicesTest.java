package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.file.NodeSettings;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications that join with a file which names services. */
@Timeout(60)
final class ConfiguredServicesTest {
  @TempDir private Path folder;

  @Test
  void areHostedWhenTheNodeHasJoined() throws IOException {
    try (Node node = Tempest.join(config(BoardService.class.getName()));
        FrontEnd frontEnd = node.frontEnd()) {
      assertThat(frontEnd.service(Board.class).add("a", 2)).isEqualTo(2);
    }
  }

  @Test
  void areRefusedByFileAndLineBeforeAnythingStarts() throws IOException {
    NodeConfig config = config("dev.tempest.Nowhere");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Tempest.join(config))
        .withMessageStartingWith(
            folder.resolve("tempest.yaml")
                + " line 6: class dev.tempest.Nowhere not found on the class path");
  }

  private NodeConfig config(String serviceClass) throws IOException {
    Path file = folder.resolve("tempest.yaml");
    Files.writeString(
        file,
        """
        listen: 127.0.0.1:%d
        multicast: off
        loopback: off
        services:
          - name: board
            class: %s
        """
            .formatted(FreePorts.find(1).getFirst(), serviceClass));
    return NodeSettings.load(file, Map.of()).config();
  }
}
