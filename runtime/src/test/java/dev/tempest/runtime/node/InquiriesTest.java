package dev.tempest.runtime.node;

import static dev.tempest.runtime.Eventually.eventually;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message.HostingRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tools ask for keeps nobody else waiting. */
@Timeout(120)
class InquiriesTest {
  private static final PeerAddress TOOL = PeerAddress.all("127.0.0.1:9").getFirst();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<Integer> ports = FreePorts.find(2);
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void whatIsReadWithoutEndKeepsNoStateFromMembers() {
    try (LocalNode giver = LocalNode.join(config(0))) {
      map(giver).put("key", "value");
      giver.host.machines.inquiries.maker.make(TOOL, "endless", this::endless);
      try (LocalNode joiner = LocalNode.join(config(1), PATIENCE)) {
        eventually("its state", () -> "value".equals(map(joiner).get("key")));
      }
    } finally {
      end.countDown();
    }
  }

  private HostingRequest endless() {
    try {
      end.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    return new HostingRequest();
  }

  private static Map<String, String> map(LocalNode node) {
    return node.declare("map", state -> state.map("map", String.class, String.class));
  }

  private NodeConfig config(int index) {
    return NodeConfig.builder()
        .cluster("inquiries-" + ports.getFirst())
        .listen("127.0.0.1:" + ports.get(index))
        .seeds(ports.stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new))
        .multicastPort(0)
        .loopback(false)
        .build();
  }
}
