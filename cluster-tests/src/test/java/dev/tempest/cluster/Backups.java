package dev.tempest.cluster;

import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.admin.ServiceStatus.Role;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the backups of services with a primary follow it. Whoever is cut off may take itself for
 * one for a while; but only who is one comes to have what the primary executes.
 */
final class Backups {
  private static final List<String> SERVICES =
      List.of(
          Workload.Services.REGISTERS,
          Workload.Services.COUNTERS,
          Workload.Services.QUEUES,
          Workload.Services.LISTS);

  private final Admin admin;

  /** What the primaries had executed when they were asked last. */
  private final Map<String, Long> executed = new HashMap<>();

  /** Of services that are hosted there, and that clients write all the time. */
  Backups(List<String> servers) {
    admin = Admin.connect(FrontEndConfig.builder(servers).build());
  }

  /** Whether that of each service has more by now than the primary had the last time. */
  boolean follow() {
    Collection<NodeStatus> answers = admin.status().values();
    boolean follow = true;
    for (String service : SERVICES) {
      long before = executed.getOrDefault(service, Long.MAX_VALUE);
      follow &= most(answers, service, Role.FOLLOWER) > before;
      executed.put(service, most(answers, service, Role.LEADER));
    }
    return follow;
  }

  private static long most(Collection<NodeStatus> answers, String service, Role role) {
    return answers.stream()
        .flatMap(each -> each.services().stream())
        .filter(each -> each.name().equals(service) && each.role() == role && each.active())
        .mapToLong(ServiceStatus::executed)
        .max()
        .orElse(role == Role.LEADER ? Long.MAX_VALUE : 0);
  }
}
