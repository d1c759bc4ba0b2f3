package dev.tempest.runtime.node;

import static dev.tempest.runtime.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that is reached at another address than it sends from, as one with several networks. */
@Timeout(120)
final class ReachedElsewhereTest {
  private static final String ELSEWHERE = "127.0.0.2";
  private static final String LARGE = "x".repeat(200_000);

  private final List<Integer> ports = FreePorts.find(2);

  @Test
  void isAMemberLikeAnyOtherWhoeverBegins() throws IOException {
    assumeTrue(sendsFromOneAddressAndIsReachedAtMore(), "the system has one loopback address");
    for (boolean isFirst : new boolean[] {true, false}) {
      try (LocalNode first = LocalNode.join(isFirst ? elsewhere() : usual());
          LocalNode second = LocalNode.join(isFirst ? usual() : elsewhere())) {
        Map<String, String> atFirst = map(first);
        Map<String, String> atSecond = map(second);
        eventually(
            "two members", () -> first.members().size() == 2 && second.members().size() == 2);
        atFirst.put("first", LARGE);
        atSecond.put("second", LARGE);
        atFirst.put("small", "1");
        eventually(
            "all writes at both",
            () ->
                LARGE.equals(atFirst.get("second"))
                    && LARGE.equals(atSecond.get("first"))
                    && "1".equals(atSecond.get("small")));
      }
    }
  }

  private static boolean sendsFromOneAddressAndIsReachedAtMore() throws IOException {
    try (DatagramSocket there = new DatagramSocket(0, InetAddress.getByName(ELSEWHERE));
        DatagramSocket all = new DatagramSocket(0)) {
      all.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), there.getLocalPort()));
      return all.getLocalAddress().getHostAddress().equals("127.0.0.1");
    } catch (IOException noSuchAddress) {
      return false;
    }
  }

  private NodeConfig usual() {
    return config().listen("127.0.0.1:" + ports.get(0)).build();
  }

  private NodeConfig elsewhere() {
    return config()
        .listen("private:" + ports.get(1))
        .advertise(ELSEWHERE + ":" + ports.get(1))
        .build();
  }

  private NodeConfig.Builder config() {
    return NodeConfig.builder()
        .cluster("elsewhere-" + ports.getFirst())
        .seeds("127.0.0.1:" + ports.get(0), ELSEWHERE + ":" + ports.get(1))
        .multicastPort(0)
        .loopback(false);
  }

  private static Map<String, String> map(LocalNode node) {
    return node.declare("map", state -> state.map("map", String.class, String.class));
  }
}
