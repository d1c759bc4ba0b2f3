package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes find each other whatever addresses their hosts have. */
final class AddressesTest {
  private static final int HEAP_MEGABYTES = 64;

  @TempDir private Path folder = Path.of("");

  /** What a test does to the hosts before the nodes start. */
  @FunctionalInterface
  private interface Change {
    void of(Network network, int host) throws IOException;
  }

  @Test
  void behindCarrierGradeNat() throws Exception {
    assertTheyMeet(
        (network, host) -> network.readdress(host, "100.64.0." + host + "/10", "224.0.0.0/4"));
  }

  @Test
  void withIpv6Only() throws Exception {
    write("seeds: ['fd00:77::1', 'fd00:77::2']");
    assertTheyMeet((network, host) -> network.readdress(host, "fd00:77::" + host + "/64"));
  }

  @Test
  void withPublicAddressesThatAreAllowed() throws Exception {
    write("allow: [11.0.0.0/8]");
    assertTheyMeet(
        (network, host) -> network.readdress(host, "11.0.0." + host + "/24", "224.0.0.0/4"));
  }

  @Test
  void whoseAddressesAreNotAllowedIsAloneAndSaysWhy() throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    try (Network network = Network.of(1)) {
      network.readdress(1, "198.18.0.1/15", "224.0.0.0/4");
      HostProcess node =
          HostProcess.start(network, 1, HEAP_MEGABYTES, NodeProgram.class, "n1", folder);
      node.awaitReady();
      assertThat(node.ask("members")).isEqualTo("127.0.0.1:7400");
      assertThat(node.output()).contains("addresses [198.18.0.1]; name those under 'allow'");
    }
  }

  /** The way to all else, multicast included, leads through the interface where nobody is. */
  @Test
  void whereAnotherInterfaceComesFirst() throws Exception {
    assertTheyMeet((network, host) -> {
      if (host == 1) {
        network.readdress(host, "10.78.0.1/24");
        network.addInterface(host, "10.99.0.1/24", "10.99.0.2");
      } else {
        network.readdress(host, "10.78.0.2/24", "10.99.0.0/24");
      }
    });
  }

  private void write(String line) throws IOException {
    Files.writeString(folder.resolve("tempest.yaml"), line + "\n");
  }

  private void assertTheyMeet(Change change) throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    List<HostProcess> nodes = new ArrayList<>();
    try (Network network = Network.of(2)) {
      for (int host = 1; host <= 2; host++) {
        change.of(network, host);
      }
      for (int host = 1; host <= 2; host++) {
        nodes.add(
            HostProcess.start(
                network, host, HEAP_MEGABYTES, NodeProgram.class, "n" + host, folder));
      }
      for (HostProcess node : nodes) {
        node.awaitReady();
      }
      for (HostProcess node : nodes) {
        awaitTwoMembers(node);
      }
    } finally {
      for (HostProcess node : nodes) {
        node.kill();
      }
    }
  }

  private static void awaitTwoMembers(HostProcess node) {
    eventually(
        "two members at " + node,
        () -> node.ask("members").split(" ", -1).length == 2,
        node::output);
  }
}
