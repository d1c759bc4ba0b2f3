package dev.tempest.cli;

import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.ServerStatus;
import dev.tempest.admin.ServiceStatus;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The status of a cluster as JSON, one object on one line. */
final class StatusJson {
  private StatusJson() {}

  static String of(ClusterStatus status) {
    String servers =
        status.servers().stream()
            .map(server -> server(status, server))
            .collect(Collectors.joining(","));
    return "{\"whole\":" + status.isWhole() + ",\"servers\":[" + servers + "]}";
  }

  private static String server(ClusterStatus cluster, String server) {
    String start = "{\"server\":" + Json.quote(server) + ",\"answers\":";
    return cluster
        .of(server)
        .map(status -> start + "true," + answer(cluster, server, status) + "}")
        .orElse(start + "false}");
  }

  private static String answer(ClusterStatus cluster, String server, ServerStatus status) {
    String services =
        status.services().stream()
            .map(service -> service(service, cluster.agreeing(service.name()).contains(server)))
            .collect(Collectors.joining(","));
    return "\"upSince\":"
        + Json.quote(status.started().toString())
        + ",\"clockOffsetMillis\":"
        + status.clockOffset().toMillis()
        + ",\"clockErrorMillis\":"
        + status.clockError().plusMillis(1).toMillis()
        + ",\"dropped\":{"
        + joined(
            status.dropped().entrySet(), each -> Json.quote(each.getKey()) + ":" + each.getValue())
        + "},\"members\":["
        + joined(status.members(), StatusJson::member)
        + "],\"membersMore\":"
        + status.membersMore()
        + ",\"services\":["
        + services
        + "],\"collections\":["
        + joined(status.collections(), StatusJson::collection)
        + "],\"collectionsMore\":"
        + status.collectionsMore();
  }

  private static <T> String joined(Collection<T> all, Function<T, String> json) {
    return all.stream().map(json).collect(Collectors.joining(","));
  }

  private static String member(MemberStatus member) {
    return "{\"address\":"
        + Json.quote(member.address())
        + ",\"name\":"
        + Json.quote(member.name())
        + ",\"silent\":"
        + member.silent()
        + "}";
  }

  private static String collection(CollectionStatus collection) {
    return "{\"service\":"
        + Json.quote(collection.service())
        + ",\"collection\":"
        + Json.quote(collection.collection())
        + ",\"entries\":"
        + collection.entries()
        + ",\"bytes\":"
        + known(collection.sizeBytes())
        + "}";
  }

  /** The number; null where it is not known. */
  private static String known(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "null";
  }

  private static String service(ServiceStatus service, boolean agreeing) {
    List<String> fields =
        List.of(
            "\"name\":" + Json.quote(service.name()),
            "\"active\":" + service.active(),
            "\"executed\":" + service.executed(),
            "\"hash\":" + Json.quote(String.format("%016x", service.hash())),
            "\"settled\":" + service.settled(),
            "\"unsettled\":" + service.unsettled(),
            "\"lagMillis\":" + known(service.lagMillis()),
            "\"late\":" + service.late(),
            "\"rerun\":" + service.rerun(),
            "\"repaired\":" + service.repaired(),
            "\"reads\":" + service.reads(),
            "\"diverged\":" + service.diverged(),
            "\"agrees\":" + agreeing);
    return "{" + String.join(",", fields) + "}";
  }
}
