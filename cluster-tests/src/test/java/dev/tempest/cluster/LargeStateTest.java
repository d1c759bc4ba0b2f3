package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state that is larger than any message, and whose values fill a message each. */
final class LargeStateTest {
  /** Together more than the 200 MiB of the largest message. */
  private static final int VALUES = 4;

  private static final int BYTES = 60 << 20;

  private static final int HEAP_MEGABYTES = 1_024;

  @TempDir Path folder;

  @Test
  void comesToWhoJoinsAndOutlivesWhoGaveIt() throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    List<HostProcess> servers = new ArrayList<>();
    try (Network network = Network.of(2)) {
      HostProcess giver = start(network, 1, servers);
      assertThat(giver.ask("make %d %d".formatted(VALUES, BYTES))).isEqualTo("made");
      HostProcess joiner = start(network, 2, servers);
      giver.kill();
      assertThat(joiner.ask("whole " + BYTES)).isEqualTo(String.valueOf(VALUES));
    } catch (Exception | AssertionError failed) {
      servers.forEach(each -> System.out.println("--- " + each + ":\n" + each.output()));
      throw failed;
    } finally {
      for (HostProcess server : servers) {
        server.kill();
      }
    }
  }

  private HostProcess start(Network network, int host, List<HostProcess> servers) throws Exception {
    HostProcess server =
        HostProcess.start(
            network, host, HEAP_MEGABYTES, LargeValuesProgram.class, "s" + host, folder);
    servers.add(server);
    server.awaitReady();
    return server;
  }
}
