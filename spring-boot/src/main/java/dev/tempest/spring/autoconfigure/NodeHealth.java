package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up from when the node has joined, with the state of the others, until it is closed. */
record NodeHealth(Node node) implements HealthIndicator {
  @Override
  public Health health() {
    try {
      node.frontEnd().close();
    } catch (IllegalStateException closed) {
      return Health.outOfService().withDetail("node", "closed").build();
    }
    List<String> members = node.members();
    return Health.up()
        .withDetail("node", members.getFirst())
        .withDetail("members", members.size())
        .build();
  }
}
