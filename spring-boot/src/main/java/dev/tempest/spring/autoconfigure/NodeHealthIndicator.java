package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.admin.NodeHealth;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up while the node is a member, has the state of all that it hosts, and serves; else out of
 * service, or down once only a restart helps. Says why.
 */
record NodeHealthIndicator(Node node) implements HealthIndicator {
  @Override
  public Health health() {
    NodeHealth health = node.monitor().health();
    List<String> members = node.members();
    Health.Builder said =
        health.ready() ? Health.up() : health.live() ? Health.outOfService() : Health.down();
    if (!health.reasons().isEmpty()) {
      said.withDetail("reasons", health.reasons());
    }
    if (!health.warnings().isEmpty()) {
      said.withDetail("warnings", health.warnings());
    }
    return said.withDetail("node", members.getFirst())
        .withDetail("members", members.size())
        .build();
  }
}
