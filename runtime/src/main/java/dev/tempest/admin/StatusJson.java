package dev.tempest.admin;

import dev.tempest.runtime.Json;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The status of a cluster as JSON, one object on one line. */
final class StatusJson {
  private StatusJson() {}

  static String of(ClusterStatus cluster) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("whole", cluster.isWhole());
    json.put("speaks", versions(ProtocolVersions.own()));
    json.put("nodes", cluster.nodes().stream().map(each -> node(cluster, each)).toList());
    return Json.of(json);
  }

  private static Map<String, @Nullable Object> node(ClusterStatus cluster, String node) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("node", node);
    json.put("answers", cluster.of(node).isPresent());
    ProtocolVersions others = cluster.otherVersions().get(node);
    if (others != null) {
      json.put("speaks", versions(others));
    }
    cluster.of(node).ifPresent(status -> addAnswer(cluster, node, status, json));
    return json;
  }

  private static void addAnswer(
      ClusterStatus cluster, String node, NodeStatus status, Map<String, @Nullable Object> json) {
    json.put("upSince", status.started().toString());
    json.put("clockOffsetMillis", status.clockOffset().toMillis());
    json.put("clockErrorMillis", status.clockError().plusMillis(1).toMillis());
    json.put("dropped", status.dropped());
    json.put("members", status.members().stream().map(StatusJson::member).toList());
    json.put("membersMore", status.membersMore());
    json.put(
        "services",
        status.services().stream()
            .map(each -> service(each, cluster.agreeing(each.name()).contains(node)))
            .toList());
    json.put("collections", status.collections().stream().map(StatusJson::collection).toList());
    json.put("collectionsMore", status.collectionsMore());
  }

  private static Map<String, @Nullable Object> versions(ProtocolVersions versions) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("lowest", versions.lowest());
    json.put("highest", versions.highest());
    return json;
  }

  private static Map<String, @Nullable Object> member(MemberStatus member) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("address", member.address());
    json.put("name", member.name());
    json.put("silent", member.silent());
    return json;
  }

  private static Map<String, @Nullable Object> service(ServiceStatus service, boolean agrees) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("name", service.name());
    json.put("active", service.active());
    json.put("role", service.role().name().toLowerCase(Locale.ROOT));
    json.put("executed", service.executed());
    json.put("hash", String.format("%016x", service.hash()));
    json.put("settled", service.settled());
    json.put("unsettled", service.unsettled());
    json.put("lagMillis", known(service.lagMillis()));
    json.put("checkpointMillis", known(service.checkpointMillis()));
    json.put("checkpointFailing", service.checkpointFailing());
    json.put("late", service.late());
    json.put("rerun", service.rerun());
    json.put("repaired", service.repaired());
    json.put("reads", service.reads());
    json.put("byVotes", service.byVotes());
    json.put("diverged", service.diverged());
    json.put("agrees", agrees);
    return json;
  }

  private static Map<String, @Nullable Object> collection(CollectionStatus collection) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("service", collection.service());
    json.put("collection", collection.collection());
    json.put("entries", collection.entries());
    json.put("bytes", known(collection.sizeBytes()));
    return json;
  }

  private static @Nullable Long known(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }
}
