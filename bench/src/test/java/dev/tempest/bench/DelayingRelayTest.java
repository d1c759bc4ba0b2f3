package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayingRelayTest {
  private static final Delay SOON = new Delay(1, 0.5);

  private final InetAddress loopback = InetAddress.getLoopbackAddress();

  @Test
  void datagramsComeInTheirOrderAndAnswersGoBack() throws IOException {
    try (DatagramSocket server = new DatagramSocket(0, loopback);
        DatagramSocket client = new DatagramSocket(0, loopback)) {
      SocketAddress relay = relay(List.of(text(server.getLocalPort()))).getFirst();
      for (int number = 0; number < 20; number++) {
        send(client, relay, "r" + number);
      }
      for (int number = 0; number < 20; number++) {
        DatagramPacket request = receive(server);
        assertThat(textOf(request)).isEqualTo("r" + number);
        send(server, request.getSocketAddress(), "a" + number);
      }
      DatagramPacket answer = receive(client);
      assertThat(textOf(answer)).isEqualTo("a0");
      assertThat(answer.getSocketAddress()).isEqualTo(relay);
    }
  }

  @Test
  void serversKnowEachOtherByTheirPortsOfTheRelay() throws IOException {
    try (DatagramSocket one = new DatagramSocket(0, loopback);
        DatagramSocket other = new DatagramSocket(0, loopback)) {
      List<InetSocketAddress> relay =
          relay(List.of(text(one.getLocalPort()), text(other.getLocalPort())));
      send(one, relay.getLast(), "hello");
      DatagramPacket request = receive(other);
      assertThat(textOf(request)).isEqualTo("hello");
      assertThat(request.getSocketAddress()).isEqualTo(relay.getFirst());
    }
  }

  @Test
  void streamsGoBothWaysAndEnd() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket client = new Socket()) {
      client.connect(relay(List.of(text(server.getLocalPort()))).getFirst());
      try (Socket accepted = server.accept()) {
        client.getOutputStream().write("there".getBytes(StandardCharsets.UTF_8));
        assertThat(read(accepted.getInputStream(), 5)).isEqualTo("there");
        accepted.getOutputStream().write("back".getBytes(StandardCharsets.UTF_8));
        assertThat(read(client.getInputStream(), 4)).isEqualTo("back");
      }
      assertThat(client.getInputStream().read()).isNegative();
    }
  }

  @Test
  void delaysAreAtLeastSoLongAndMoreAsSaidOnAverage() {
    SplittableRandom random = new SplittableRandom(1);
    Delay delay = new Delay(2, 0.5);
    double sum = 0;
    for (int i = 0; i < 10_000; i++) {
      long nanos = delay.nextNanos(random);
      assertThat(nanos).isGreaterThanOrEqualTo(2_000_000);
      sum += nanos;
    }
    assertThat(sum / 10_000).isBetween(2.4e6, 2.6e6);
    assertThat(new Delay(0, 0).nextNanos(random)).isZero();
  }

  /** Its threads live as long as this process. */
  private static List<InetSocketAddress> relay(List<String> servers) throws IOException {
    DelayingRelay relay = DelayingRelay.to(servers, SOON);
    var _ = relay.start();
    return relay.ways().stream().map(DelayingRelay.Way::own).toList();
  }

  private static String text(int port) {
    return "127.0.0.1:" + port;
  }

  private static void send(DatagramSocket from, SocketAddress to, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    from.send(new DatagramPacket(bytes, bytes.length, to));
  }

  private static DatagramPacket receive(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    socket.receive(packet);
    return packet;
  }

  private static String textOf(DatagramPacket packet) {
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
  }

  private static String read(InputStream in, int bytes) throws IOException {
    return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
  }
}
