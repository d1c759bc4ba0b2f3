package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OperationsServletTest {
  @Test
  void showsANode() throws Exception {
    NodeConfig config = NodeConfig.builder().cluster("ops").build();
    try (Node node = Tempest.join(config);
        Site site = Site.of(node)) {
      Map<String, Integer> carts = node.map("carts");
      carts.put("alice", 3);
      System.out.println(site.get("/metrics").body());
      System.out.println(site.get("/health/ready").body());
      System.out.println(site.get("/status.json").body());
      assertThat(site.get("/health/live").statusCode()).isEqualTo(200);
    }
  }
}
