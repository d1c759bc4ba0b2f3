package dev.tempest.operations;

import dev.tempest.admin.Latencies;
import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import dev.tempest.runtime.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the dashboard shows, as JSON. */
final class StateText {
  private final NodeMonitor monitor;
  private final NodeWatch node;
  private final ClusterWatch cluster;

  StateText(NodeMonitor monitor, NodeWatch node, ClusterWatch cluster) {
    this.monitor = monitor;
    this.node = node;
    this.cluster = cluster;
  }

  /** The node of this process, and all members as {@code tempest status --json} has them. */
  String toJson() {
    NodeHealth health = node.health();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("cluster", monitor.cluster());
    json.put("node", monitor.members().getFirst());
    json.put("live", health.live());
    json.put("ready", health.ready());
    json.put("reasons", health.reasons());
    json.put("warnings", health.warnings());
    json.put("boundsMillis", Latencies.BOUNDS.stream().map(StateText::millis).toList());
    VitalsIndex known = node.vitals();
    json.put("vitals", known == null ? null : vitals(known.vitals()));
    json.put("counts", known == null ? Map.of() : known.counts());
    String self = Json.of(json);
    return self.substring(0, self.length() - 1) + ",\"status\":" + cluster.look().toJson() + "}";
  }

  private static Map<String, @Nullable Object> vitals(NodeVitals vitals) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("loopBusyMillis", millis(vitals.loopBusy()));
    json.put("updatesWaiting", vitals.updatesWaiting());
    json.put("readsWaiting", vitals.readsWaiting());
    json.put("network", vitals.network());
    Map<String, Object> latencies = new LinkedHashMap<>();
    vitals.latencies().forEach((of, told) -> latencies.put(of.word(), told.counts()));
    json.put("latencies", latencies);
    return json;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
