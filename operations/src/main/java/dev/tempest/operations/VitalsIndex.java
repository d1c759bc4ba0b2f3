package dev.tempest.operations;

import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.NodeVitals;
import dev.tempest.admin.ServiceStatus;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The vitals of a node, and what they say of its parts, by name; and what was counted beside. */
final class VitalsIndex {
  private final NodeVitals vitals;
  private final Map<String, Map<String, Long>> counts;
  private final Map<String, ServiceStatus> services = new HashMap<>();
  private final Map<CollectionName, CollectionStatus> collections = new HashMap<>();

  private record CollectionName(String service, String collection) {}

  VitalsIndex(NodeVitals vitals, Map<String, Map<String, Long>> counts) {
    this.vitals = vitals;
    this.counts = counts;
    vitals.status().services().forEach(each -> services.put(each.name(), each));
    vitals
        .status()
        .collections()
        .forEach(
            each -> collections.put(new CollectionName(each.service(), each.collection()), each));
  }

  NodeVitals vitals() {
    return vitals;
  }

  /** By part and kind, as {@link dev.tempest.admin.NodeMonitor#counts} says. */
  Map<String, Map<String, Long>> counts() {
    return counts;
  }

  /** Null if there is none of that name. */
  @Nullable ServiceStatus service(String name) {
    return services.get(name);
  }

  /** Likewise. */
  @Nullable CollectionStatus collection(String service, String name) {
    return collections.get(new CollectionName(service, name));
  }
}
