package dev.tempest.cli;

import dev.tempest.admin.ServerStatus;
import dev.tempest.admin.ServiceStatus;
import java.util.List;
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
            .map(service -> service(service, cluster.inStep(service.name()).contains(server)))
            .collect(Collectors.joining(","));
    return "\"upSince\":"
        + Json.quote(status.started().toString())
        + ",\"services\":["
        + services
        + "]";
  }

  private static String service(ServiceStatus service, boolean inStep) {
    List<String> fields =
        List.of(
            "\"name\":" + Json.quote(service.name()),
            "\"active\":" + service.active(),
            "\"executed\":" + service.executed(),
            "\"hash\":" + Json.quote(String.format("%016x", service.hash())),
            "\"settled\":" + service.settled(),
            "\"unsettled\":" + service.unsettled(),
            "\"late\":" + service.late(),
            "\"rerun\":" + service.rerun(),
            "\"repaired\":" + service.repaired(),
            "\"reads\":" + service.reads(),
            "\"diverged\":" + service.diverged(),
            "\"agrees\":" + inStep);
    return "{" + String.join(",", fields) + "}";
  }
}
