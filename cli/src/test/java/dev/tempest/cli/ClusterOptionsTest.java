package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tools look for a cluster where the file of its nodes says it is. */
final class ClusterOptionsTest {
  @TempDir Path folder;

  private static ClusterOptions options(String... arguments) {
    return CommandLine.populateCommand(new ClusterOptions(), arguments);
  }

  private String file(String... lines) throws IOException {
    return Files.writeString(folder.resolve("tempest.yaml"), String.join("\n", lines)).toString();
  }

  @Test
  void withoutAFileTheyLookWhereNodesListenThatHaveNone() {
    ClusterOptions options = options();
    assertThat(options.servers())
        .as("as many as nodes look at")
        .hasSize(16)
        .startsWith("127.0.0.1:7400", "127.0.0.1:7401")
        .endsWith("127.0.0.1:7415");
    assertThat(options.clusterName()).isEqualTo("tempest");
    assertThat(options.namesServers()).isFalse();
  }

  @Test
  void theMembersOfTheFileAreAllServers() throws IOException {
    ClusterOptions options =
        options("--config", file("cluster: shop", "members: [127.0.0.1:7500, 127.0.0.2:7500]"));
    assertThat(options.servers()).containsExactly("127.0.0.1:7500", "127.0.0.2:7500");
    assertThat(options.clusterName()).isEqualTo("shop");
    assertThat(options.namesServers()).isTrue();
  }

  @Test
  void withoutMembersTheyLookWhereTheNodeListensAndAtItsSeeds() throws IOException {
    ClusterOptions options =
        options("--config", file("listen: 127.0.0.1:7510", "seeds: [127.0.0.3:7400]"));
    assertThat(options.servers()).containsExactly("127.0.0.1:7510", "127.0.0.3:7400");
    assertThat(options.namesServers()).isFalse();
  }

  @Test
  void toNameNoServersIsAMistake() {
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> options("--servers", ",").servers())
        .withMessageContaining("no servers");
  }

  @Test
  void aHostOfTheFileThatIsGoneIsLeftOut() throws IOException {
    ClusterOptions options =
        options("--config", file("members: [\"gone.invalid:7500\", \"127.0.0.2:7500\"]"));
    assertThat(options.servers()).containsExactly("127.0.0.2:7500");
  }

  @Test
  void withoutMembersTheyLookAtTheAddressesOfDnsToo() throws IOException {
    ClusterOptions options =
        options("--config", file("listen: 127.0.0.1:7510", "dns: localhost:7400"));
    assertThat(options.servers()).containsExactly("127.0.0.1:7510", "localhost:7400");
  }

  /** It is about a node that is not to be started. */
  @Test
  void whereTheServersAreNamedOnlyTheClusterOfTheFileCounts() throws IOException {
    String file = file("cluster: shop", "lsten: everywhere", "acks: many", "services: 1");
    ClusterOptions options = options("--config", file, "--servers", "127.0.0.1:7600");
    assertThat(options.config().build().cluster()).isEqualTo("shop");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(options("--config", file)::servers)
        .withMessageContaining("lsten");
  }

  @Test
  void optionsGoBeforeTheFile() throws IOException {
    String file = file("cluster: shop", "members: [127.0.0.1:7500]");
    ClusterOptions options =
        options("--config", file, "--servers", "127.0.0.1:7600", "--cluster", "other");
    assertThat(options.servers()).containsExactly("127.0.0.1:7600");
    assertThat(options.clusterName()).isEqualTo("other");
  }

  @Test
  void aFileThatCannotWorkIsRefused() throws IOException {
    ClusterOptions options = options("--config", file("cluster: [a, b]"));
    assertThatExceptionOfType(ConfigException.class).isThrownBy(options::servers);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(options::clusterName)
        .withMessageContaining("'cluster' is not a single value");
  }
}
