package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.ServerStatus;
import dev.tempest.admin.ServiceStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How all servers of a cluster were when they were asked.
 *
 * @param servers all of them, in the order of the configuration
 * @param answers of those that answered
 */
record ClusterStatus(List<String> servers, Map<String, ServerStatus> answers) {
  /** More columns than these are of no use to anybody. */
  private static final int SHOWN_MAX = 64;

  ClusterStatus {
    servers = List.copyOf(servers);
    answers = Map.copyOf(answers);
  }

  /** Asks all servers, and waits for a second at most for those that do not reply. */
  static ClusterStatus ask(Admin admin, List<String> servers) {
    return new ClusterStatus(servers, admin.status());
  }

  /**
   * The servers to show: those that were asked, and the members that their answers name.
   *
   * @param all whether those count that gave no answer, while others did
   */
  List<String> everybody(boolean all) {
    var everybody = new ArrayList<>(servers);
    everybody.removeIf(server -> !all && !answers.isEmpty() && of(server).isEmpty());
    var known = new TreeSet<>(servers);
    answers.values().stream()
        .flatMap(status -> status.members().stream().limit(1))
        .forEach(self -> known.add(self.address())); // Maybe asked by another name.
    answers.values().stream()
        .flatMap(status -> status.members().stream())
        .filter(member -> known.add(member.address()))
        .limit(Math.max(0, SHOWN_MAX - everybody.size()))
        .map(MemberStatus::address)
        .forEach(everybody::add);
    return everybody;
  }

  /** What a server said, if it answered. */
  Optional<ServerStatus> of(String server) {
    return Optional.ofNullable(answers.get(server));
  }

  /** What a server said of a service, if it answered and hosts it. */
  Optional<ServiceStatus> of(String server, String service) {
    return of(server)
        .flatMap(
            status -> status.services().stream().filter(s -> s.name().equals(service)).findFirst());
  }

  /** All names that any server tells, sorted. */
  List<String> named(Function<ServerStatus, Stream<String>> names) {
    return answers.values().stream().flatMap(names).distinct().sorted().toList();
  }

  /** What a member is called in the table. */
  static String label(MemberStatus member) {
    return member.name().isEmpty()
        ? member.address()
        : member.address() + " (" + member.name() + ")";
  }

  /** The names of all services that any server hosts, sorted. */
  List<String> services() {
    var names = new TreeSet<String>();
    for (ServerStatus status : answers.values()) {
      status.services().forEach(service -> names.add(service.name()));
    }
    return new ArrayList<>(names);
  }

  /**
   * The servers whose replica of the service agrees with the most others; none is ahead of them.
   */
  List<String> agreeing(String service) {
    var groups = new HashMap<List<Long>, List<String>>();
    for (String server : servers) {
      of(server, service)
          .filter(ServiceStatus::active)
          .ifPresent(status ->
              groups
                  .computeIfAbsent(
                      List.of(status.executed(), status.hash()), key -> new ArrayList<>())
                  .add(server));
    }
    return groups.entrySet().stream()
        .max(
            Map.Entry.<List<Long>, List<String>>comparingByValue(
                    (one, other) -> Integer.compare(one.size(), other.size()))
                .thenComparing(group -> group.getKey().getFirst()))
        .map(Map.Entry::getValue)
        .orElse(List.of());
  }

  /** Whether every server answers, hosts something, and agrees in all that it hosts. */
  boolean isWhole() {
    return servers.stream().allMatch(this::isWhole);
  }

  private boolean isWhole(String server) {
    return of(server)
        .filter(status -> !status.services().isEmpty())
        .filter(
            status -> status.services().stream().allMatch(s -> agreeing(s.name()).contains(server)))
        .isPresent();
  }
}
