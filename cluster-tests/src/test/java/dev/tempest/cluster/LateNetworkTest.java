package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that start before their hosts have a network, as where DHCP takes its time. */
final class LateNetworkTest {
  private static final int HEAP_MEGABYTES = 64;

  @TempDir private Path folder = Path.of("");

  /** Whoever had no network when it started neither said nor heard anything by multicast. */
  @Test
  void findEachOtherOnceItIsThereAndAfterItWasAway() throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    try (Network network = Network.of(3)) {
      network.switchOff(1);
      network.switchOff(2);
      HostProcess one = start(network, 1);
      HostProcess two = start(network, 2);
      assertThat(one.ask("members")).isEqualTo(one.address());
      assertThat(two.ask("members")).isEqualTo(two.address());
      network.switchOn(1);
      network.switchOn(2);
      awaitMembers(one, 2);
      awaitMembers(two, 2);

      network.switchOff(1);
      network.switchOn(1);
      awaitMembers(start(network, 3), 3);
    }
  }

  private HostProcess start(Network network, int host) throws Exception {
    Path own = Files.createDirectory(folder.resolve("host" + host));
    write(own, "listen: 0.0.0.0:7400\nadvertise: " + Network.PREFIX + host + ":7400\n");
    HostProcess node =
        HostProcess.start(network, host, HEAP_MEGABYTES, NodeProgram.class, "n" + host, own);
    node.awaitReady();
    return node;
  }

  private static void write(Path folder, String lines) throws IOException {
    Files.writeString(folder.resolve("tempest.yaml"), lines);
  }

  private static void awaitMembers(HostProcess node, int count) {
    eventually(
        count + " members",
        () -> node.ask("members").split(" ").length == count,
        () -> node.ask("members") + "\n" + node.output());
  }
}
