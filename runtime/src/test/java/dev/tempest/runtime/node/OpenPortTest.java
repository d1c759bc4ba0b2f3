package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.NodeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

final class OpenPortTest {
  private static final int RANGE = 200;

  @Test
  void namesThePortsThatWereTriedWhereMembersAreListed() throws IOException {
    try (DatagramSocket one = bind(0);
        DatagramSocket other = after(one.getLocalPort())) {
      int first = one.getLocalPort();
      int second = other.getLocalPort();
      NodeConfig config =
          NodeConfig.builder()
              .listen("127.0.0.1:" + first + "-" + (first + RANGE))
              .members("127.0.0.1:" + first, "127.0.0.1:" + second)
              .build();

      assertThatThrownBy(() -> OpenPort.open(config, 1))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageStartingWith(
              "cannot listen on any of the ports " + first + ", " + second + ": ");
    }
  }

  private static DatagramSocket after(int port) throws SocketException {
    SocketException refused = new SocketException("no port after " + port);
    for (int next = port + 1; next <= port + RANGE; next++) {
      try {
        return bind(next);
      } catch (SocketException taken) {
        refused = taken;
      }
    }
    throw refused;
  }

  private static DatagramSocket bind(int port) throws SocketException {
    return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }
}
