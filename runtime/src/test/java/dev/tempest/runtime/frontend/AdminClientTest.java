package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEndConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.service.Read;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tools ask. */
final class AdminClientTest {
  /** Has methods. */
  interface Bell {
    @Read
    int ring();
  }

  private record BellService(State state) implements Bell {
    @Override
    public int ring() {
      return 1;
    }
  }

  @Test
  @Timeout(60)
  void whoIsSilentHoldsNobodyUpWhoAsksForTheMethodsOfAService() throws Exception {
    String listen = "127.0.0.1:" + FreePorts.find(1).getFirst();
    NodeConfig config =
        NodeConfig.builder().cluster("bells").listen(listen).multicastPort(0).build();
    var bell =
        new Deployment("bell", ServiceInstance.of(Bell.class, BellService::new), Order.EVENTUAL);
    try (LocalNode node = LocalNode.start(config, List.of(bell));
        DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Client client =
            Client.connect(
                FrontEndConfig.builder("127.0.0.1:" + silent.getLocalPort(), listen)
                    .cluster("bells")
                    .multicastPort(0)
                    .build())) {
      assertThat(node.awaitActive(Duration.ofSeconds(30))).isTrue();
      assertThat(client.admin().describe("bell", Duration.ofMinutes(5)).methods()).hasSize(1);
    }
  }
}
