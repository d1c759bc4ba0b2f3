package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.examples.cart.ShoppingCart;
import dev.tempest.examples.cart.ShoppingCartService;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** What status and call say of a node that speaks other versions, as a later release would. */
@Timeout(60)
final class OtherVersionsCommandTest {
  private static final String CLUSTER = "other-versions-command";
  private static final int HEADER_BYTES = 24;
  private static final int CHECKSUM_START = 4;
  private static final int CHECKSUM_END = 8;
  private static final int OURS = 2;
  private static final int LATER = 3;

  private final DatagramSocket later = new DatagramSocket(0, InetAddress.getLoopbackAddress());
  private final String other = "127.0.0.1:" + later.getLocalPort();
  private final String understood = "127.0.0.1:" + FreePorts.find(1).getFirst();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  OtherVersionsCommandTest() throws SocketException {}

  @BeforeEach
  void serve() {
    Thread.ofVirtual().start(this::answer);
  }

  @AfterEach
  void close() {
    later.close();
  }

  @Test
  void statusNamesIt() {
    try (Node node = join()) {
      assertThat(run("status", understood)).as("%s", out).isEqualTo(ExitCode.OK);
      assertThat(run("status", understood + "," + other)).isEqualTo(ExitCode.NO);
      assertThat(out.toString())
          .doesNotContain("no answer")
          .containsPattern("up since +[0-9: -]+ speaks versions 3 to 4\n")
          .contains("cart: 1 of 2 answers\n");
      assertThat(out.toString().replace('\n', ' '))
          .contains(
              other
                  + " speaks versions 3 to 4 of Tempest's protocol, this command version 2: ask"
                  + " such nodes with the tempest command of their own release");
      assertThat(node.members()).hasSize(1);
    }
  }

  @Test
  void statusTellsScripts() {
    try (Node node = join()) {
      assertThat(node.members()).hasSize(1);
      assertThat(run("status", understood + "," + other, "--json")).isEqualTo(ExitCode.NO);
      assertThat(out.toString())
          .startsWith("{\"whole\":false,\"speaks\":{\"lowest\":2,\"highest\":2},\"nodes\":[")
          .contains(
              "{\"node\":\"%s\",\"answers\":false,\"speaks\":{\"lowest\":3,\"highest\":4}}"
                  .formatted(other));
    }
  }

  @Test
  void noCommandAdvisesToStartOneThatRuns() {
    for (String[] command : List.of(new String[0], new String[] {"cart", "check", "a", "b"})) {
      err.getBuffer().setLength(0);
      assertThat(run(command.length == 0 ? "status" : "call", other, command))
          .isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(err.toString().strip())
          .isEqualTo(
              "tempest: no node of cluster '"
                  + CLUSTER
                  + "' understands this command ("
                  + other
                  + " speaks versions 3 to 4 of Tempest's protocol, this command version 2). Ask"
                  + " such nodes with the tempest command of their own release");
    }
    assertThat(run("status", other, "--json")).isEqualTo(ExitCode.UNAVAILABLE);
  }

  private Node join() {
    Node node =
        Tempest.join(
            NodeConfig.builder()
                .cluster(CLUSTER)
                .listen(understood)
                .multicastPort(0)
                .loopback(false)
                .build());
    node.host("cart", ShoppingCart.class, ShoppingCartService::new);
    return node;
  }

  private int run(String command, String servers, String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    List<String> all =
        new ArrayList<>(List.of(command, "--servers", servers, "--cluster", CLUSTER));
    all.addAll(List.of(arguments));
    return line.execute(all.toArray(String[]::new));
  }

  /** The later release answers each frame that it cannot read with an empty one. */
  private void answer() {
    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
    while (!later.isClosed()) {
      try {
        later.receive(packet);
        byte[] frame = Arrays.copyOf(packet.getData(), HEADER_BYTES);
        assertThat(frame[2]).isEqualTo((byte) OURS);
        later.send(
            new DatagramPacket(inLaterVersions(frame), HEADER_BYTES, packet.getSocketAddress()));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static byte[] inLaterVersions(byte[] frame) {
    frame[2] = LATER;
    frame[3] = 1; // And one more.
    CRC32C checksum = new CRC32C();
    checksum.update(frame, 0, CHECKSUM_START);
    checksum.update(frame, CHECKSUM_END, HEADER_BYTES - CHECKSUM_END);
    ByteBuffer.wrap(frame).putInt(CHECKSUM_START, (int) checksum.getValue());
    return frame;
  }
}
