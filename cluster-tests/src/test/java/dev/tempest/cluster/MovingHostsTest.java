package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Front-ends on hosts whose addresses change while they are open. */
final class MovingHostsTest {
  private static final int HEAP_MEGABYTES = 64;
  private static final String MULTICAST = "224.0.0.0/4";

  @TempDir private Path folder = Path.of("");
  private Optional<Network> network = Optional.empty();

  @BeforeEach
  void makeNetwork() throws IOException {
    Needed.NAMESPACES.unless(Network.impossible());
    network = Optional.of(Network.of(2));
  }

  @AfterEach
  void removeNetwork() throws IOException {
    if (network.isPresent()) {
      network.get().close(); // With all processes in it.
    }
  }

  @Test
  void aServerIsFoundAtItsNewAddress() throws Exception {
    Files.writeString(folder.resolve(NodeProgram.HOSTS), "10.77.0.2 srv\n");
    HostProcess asking = start(1);
    start(2);
    assertThat(asking.ask("answering srv:7400")).isEqualTo("srv:7400");
    network.orElseThrow().readdress(2, "10.77.0.9/24", MULTICAST);
    Files.writeString(folder.resolve(NodeProgram.HOSTS), "10.77.0.9 srv\n");
    awaitAnswer(asking, "srv:7400");
  }

  @Test
  void aFrontEndGetsAnswersAtItsOwnNewAddress() throws Exception {
    HostProcess asking = start(1);
    start(2);
    assertThat(asking.ask("answering 10.77.0.2:7400")).isEqualTo("10.77.0.2:7400");
    network.orElseThrow().readdress(1, "10.77.0.8/24", MULTICAST);
    awaitAnswer(asking, "10.77.0.2:7400");
  }

  private HostProcess start(int host) throws Exception {
    HostProcess process =
        HostProcess.start(
            network.orElseThrow(), host, HEAP_MEGABYTES, NodeProgram.class, "n" + host, folder);
    process.awaitReady();
    return process;
  }

  private static void awaitAnswer(HostProcess asking, String server) {
    eventually(
        "an answer of " + server,
        () -> asking.ask("answering " + server).equals(server),
        asking::output);
  }
}
