package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.admin.Admin;
import dev.tempest.admin.ProtocolVersions;
import dev.tempest.admin.StatusReport;
import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.FreePorts;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.Versions;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that speak other versions of the wire, as a later release of Tempest would. */
@Timeout(60)
final class OtherVersionsTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int OURS = Versions.SPOKEN.highest();
  private static final int LATER = OURS + 1;
  private static final String CLUSTER = "other-versions";

  private final DatagramSocket later = new DatagramSocket(0, LOOPBACK);
  private final String address = "127.0.0.1:" + later.getLocalPort();
  private final List<AutoCloseable> open = new ArrayList<>();

  OtherVersionsTest() throws SocketException {
    open.add(later);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  @Test
  void aProcessDoesNotFoundAClusterBesideOneThatSpeaksAnotherVersion() throws InterruptedException {
    serve();
    NodeConfig config = config(address);

    assertThatThrownBy(() -> Tempest.join(config))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(address + " speaks version " + LATER)
        .hasMessageContaining("this process version " + OURS)
        .hasMessageContaining("Upgrade this process");
  }

  @Test
  void whoeverSpeaksThisVersionTooKeepsNobodyFromFounding() throws InterruptedException {
    serve(OURS, 1);
    open.add(Tempest.join(config(address)));
  }

  @Test
  void aFrontEndOfAnotherVersionKeepsNobodyFromFounding() throws Exception {
    NodeConfig config = config(address);
    InetSocketAddress member = address(config);
    byte[] question = inVersion(LATER, 0, new Message.StatusRequest(1));
    Thread asking =
        Thread.ofVirtual()
            .start(() -> {
              while (!Thread.currentThread().isInterrupted()) {
                send(question, member);
                LockSupport.parkNanos(1_000_000);
              }
            });
    try {
      open.add(Tempest.join(config));
    } finally {
      asking.interrupt();
      asking.join();
    }
  }

  @Test
  void aMemberNamesWhomItDoesNotUnderstandOnceAndSaysWhatItSpeaks() throws Exception {
    NodeConfig config = config();
    try (Logged log = new Logged();
        Node node = Tempest.join(config)) {
      assertThat(node.members()).hasSize(1);
      for (int times = 0; times < 3; times++) {
        send(inVersion(LATER, 1, new Message.StatusRequest(1)), address(config));
        DatagramPacket answer = receive().orElseThrow();
        assertThat(answer.getLength()).as("an empty frame").isEqualTo(FrameCodec.HEADER_BYTES);
        assertThat(answer.getData()[2]).isEqualTo((byte) OURS);
      }
      String said = address + " speaks versions %d to %d".formatted(LATER, LATER + 1);
      assertThat(log.texts()).filteredOn(text -> text.contains(said)).hasSize(1);
      assertThat(log.says("upgrade this process")).isTrue();
    }
  }

  @Test
  void aLargeMessageIsAnsweredToo() throws Exception {
    NodeConfig config = config();
    open.add(Tempest.join(config));
    byte[] large = inVersion(LATER, 0, new Message.StatusRequest(1), large());
    try (Socket stream = new Socket(LOOPBACK, address(config).getPort())) {
      DataOutputStream out = new DataOutputStream(stream.getOutputStream());
      out.writeInt(0x544D5053);
      out.writeShort(later.getLocalPort());
      out.writeInt(large.length);
      out.write(large);
      assertThat(receive().orElseThrow().getData()[2]).isEqualTo((byte) OURS);
    }
  }

  @Test
  void aCallEndsAtOnceWithBothVersions() {
    serve();
    FrontEndConfig config =
        FrontEndConfig.builder(address)
            .cluster(CLUSTER)
            .multicastPort(0)
            .deadline(Duration.ofMinutes(5))
            .build();
    try (FrontEnd frontEnd = FrontEnd.connect(config)) {
      Board board = frontEnd.service(Board.class);
      for (int times = 0; times < 2; times++) {
        assertThatThrownBy(() -> board.add("a", 1))
            .isInstanceOf(UnknownOutcomeException.class)
            .hasMessageContaining(address + " speaks version " + LATER)
            .hasMessageContaining("this process version " + OURS);
        assertThatThrownBy(() -> board.count("a")).isInstanceOf(UnknownOutcomeException.class);
      }
    }
  }

  @Test
  void aReportTellsWhoSpeaksOtherVersionsUntilItIsReplaced() throws Exception {
    ProtocolVersions versions = new ProtocolVersions(LATER, LATER + 1);
    serve(LATER, 1);
    String second = serveBeside(LATER, 1);
    String silent = "127.0.0.1:" + FreePorts.find(1).getFirst();
    FrontEndConfig config =
        FrontEndConfig.builder(address, second, silent).cluster(CLUSTER).multicastPort(0).build();
    try (Admin admin = Admin.connect(config)) {
      StatusReport before = admin.report();
      assertThat(before.nodes()).isEmpty();
      assertThat(before.otherVersions())
          .containsExactly(Map.entry(address, versions), Map.entry(second, versions));
      assertThatThrownBy(() -> admin.describe("board"))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasMessageContaining(address + " speaks versions %d to %d".formatted(LATER, LATER + 1));
      assertThatThrownBy(() -> admin.state("board", address))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasMessageContaining("this process version " + OURS);

      later.close();
      assertThat(admin.report().otherVersions()).as("one is silent").containsOnlyKeys(second);
      try (Node node = Tempest.join(configOf(address))) {
        StatusReport after = admin.report();
        assertThat(after.otherVersions()).containsOnlyKeys(second);
        assertThat(after.nodes()).containsOnlyKeys(address);
        assertThat(node.members()).hasSize(1);
      }
    }
  }

  private static Message large() {
    return new Message.Contents(1, 0, 0, Bytes.of(new byte[100_000]), "");
  }

  /** Of a process, and others that are members, too. */
  private static NodeConfig config(String... others) throws InterruptedException {
    return configOf("127.0.0.1:" + FreePorts.find(1).getFirst(), others);
  }

  private static NodeConfig configOf(String self, String... others) {
    return NodeConfig.builder()
        .cluster(CLUSTER)
        .listen(self)
        .multicastPort(0)
        .members(Stream.concat(Stream.of(self), Stream.of(others)).toArray(String[]::new))
        .build();
  }

  private static InetSocketAddress address(NodeConfig config) {
    return new InetSocketAddress(LOOPBACK, config.members().getFirst().port());
  }

  private void serve() {
    serve(LATER, 0);
  }

  /** The later release: whatever it is sent, it says what it speaks. */
  private void serve(int version, int more) {
    serve(later, version, more);
  }

  /** One more of it, at the address that is returned. */
  private String serveBeside(int version, int more) throws SocketException {
    DatagramSocket second = new DatagramSocket(0, LOOPBACK);
    open.add(second);
    serve(second, version, more);
    return "127.0.0.1:" + second.getLocalPort();
  }

  private static void serve(DatagramSocket socket, int version, int more) {
    byte[] answer = inVersion(version, more);
    Thread.ofVirtual()
        .start(() -> {
          while (!socket.isClosed()) {
            receive(socket).ifPresent(packet -> send(socket, answer, packet.getSocketAddress()));
          }
        });
  }

  private Optional<DatagramPacket> receive() {
    return receive(later);
  }

  /** Nothing once the socket is closed. */
  private static Optional<DatagramPacket> receive(DatagramSocket socket) {
    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
    try {
      socket.receive(packet);
      return Optional.of(packet);
    } catch (IOException closed) {
      return Optional.empty();
    }
  }

  private void send(byte[] frame, SocketAddress to) {
    send(later, frame, to);
  }

  private static void send(DatagramSocket socket, byte[] frame, SocketAddress to) {
    try {
      socket.send(new DatagramPacket(frame, frame.length, to));
    } catch (IOException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] inVersion(int version, int more, Message... messages) {
    ByteWriter writer = new ByteWriter(1 << 20);
    FrameCodec.begin(writer, NameHash.of(CLUSTER), 7);
    for (Message message : messages) {
      FrameCodec.add(writer, message);
    }
    FrameCodec.end(writer);
    byte[] frame = writer.toBytes().toArray();
    frame[2] = (byte) version;
    frame[3] = (byte) more;
    CRC32C checksum = new CRC32C();
    checksum.update(frame, 0, 4);
    checksum.update(frame, 8, frame.length - 8);
    ByteBuffer.wrap(frame).putInt(4, (int) checksum.getValue());
    return frame;
  }
}
