package dev.tempest.admin;

import dev.tempest.runtime.frontend.AdminClient;
import dev.tempest.runtime.frontend.ToldStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What nodes said that were asked for their status; silent ones are left out. Both maps are by
 * address, in the order of the configuration.
 *
 * @param nodes the status of each
 * @param otherVersions what those speak that do not understand this process: they run, and more
 *     cannot be known here
 */
public record StatusReport(
    Map<String, NodeStatus> nodes, Map<String, ProtocolVersions> otherVersions) {
  /** Keeps its own copies. */
  public StatusReport {
    nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
    otherVersions = Collections.unmodifiableMap(new LinkedHashMap<>(otherVersions));
  }

  static StatusReport of(AdminClient.Report report) {
    Map<String, NodeStatus> nodes = new LinkedHashMap<>();
    report
        .told()
        .forEach((node, told) ->
            nodes.put(node, ToldStatus.node(told.status(), told.clockOffset(), told.clockError())));
    Map<String, ProtocolVersions> others = new LinkedHashMap<>();
    report.otherVersions().forEach((node, spoken) -> others.put(node, ProtocolVersions.of(spoken)));
    return new StatusReport(nodes, others);
  }
}
