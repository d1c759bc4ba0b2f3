package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ProtocolVersions;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.admin.ServiceStatus.Role;
import dev.tempest.admin.StatusReport;
import dev.tempest.config.HostPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How all nodes of a cluster were when they were asked.
 *
 * @param nodes all of them, in the order of the configuration
 * @param answers of those that answered
 * @param otherVersions of those that speak only other versions of the protocol than this command
 */
record ClusterStatus(
    List<String> nodes,
    Map<String, NodeStatus> answers,
    Map<String, ProtocolVersions> otherVersions) {
  /** More columns than these are of no use to anybody. */
  private static final int SHOWN_MAX = 64;

  /** What to do about nodes that speak other versions. */
  static final String REMEDY = "ask such nodes with the tempest command of their own release";

  ClusterStatus {
    nodes = List.copyOf(nodes);
    answers = Map.copyOf(answers);
    otherVersions = Map.copyOf(otherVersions);
  }

  /** Asks all nodes, and waits for a second at most for those that do not reply. */
  static ClusterStatus ask(Admin admin, List<String> nodes) {
    StatusReport report = admin.report();
    return new ClusterStatus(nodes, report.nodes(), report.otherVersions());
  }

  /**
   * The nodes to show: those that were asked, and the members that their answers name.
   *
   * @param all whether those count that are silent, while others answered
   */
  List<String> everybody(boolean all) {
    var everybody = new ArrayList<>(nodes);
    everybody.removeIf(node -> !all && !answers.isEmpty() && isSilent(node));
    everybody.removeIf(this::isAskedAtItsAddressToo);
    var known = new TreeSet<>(everybody); // A member that is silent was perhaps asked.
    answers.values().stream()
        .flatMap(status -> status.members().stream().limit(1))
        .forEach(self -> known.add(self.address())); // Maybe asked by another name.
    answers.values().stream()
        .flatMap(status -> status.members().stream())
        .filter(member -> isAddress(member.address()) && known.add(member.address()))
        .limit(Math.max(0, SHOWN_MAX - everybody.size()))
        .map(MemberStatus::address)
        .forEach(everybody::add);
    return everybody;
  }

  /** Whoever is asked by a name, and by its address as well, counts once. */
  private boolean isAskedAtItsAddressToo(String node) {
    return of(node).stream()
        .flatMap(status -> status.members().stream().limit(1))
        .map(MemberStatus::address)
        .anyMatch(address -> !address.equals(node) && answers.containsKey(address));
  }

  /** What a server names is asked only if no name has to be looked up for it. */
  private static boolean isAddress(String member) {
    try {
      return HostPort.isAddress(HostPort.parse(member).host());
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private boolean isSilent(String node) {
    return of(node).isEmpty() && !otherVersions.containsKey(node);
  }

  /** Who speaks other versions than this command, and which, in words; empty if nobody does. */
  String foreigners() {
    String words =
        nodes.stream()
            .filter(otherVersions::containsKey)
            .map(node -> node + " speaks " + otherVersions.get(node))
            .collect(Collectors.joining(", "));
    return words.isEmpty()
        ? ""
        : words + " of Tempest's protocol, this command " + ProtocolVersions.own();
  }

  /** What a node said, if it answered. */
  Optional<NodeStatus> of(String node) {
    return Optional.ofNullable(answers.get(node));
  }

  /** What a node said of a service, if it answered and hosts it. */
  Optional<ServiceStatus> of(String node, String service) {
    return of(node)
        .flatMap(
            status -> status.services().stream().filter(s -> s.name().equals(service)).findFirst());
  }

  /** The node whose replica leads those of the service, if one of them does. */
  Optional<String> leader(String service) {
    return nodes.stream()
        .filter(
            node -> of(node, service).filter(status -> status.role() == Role.LEADER).isPresent())
        .findFirst();
  }

  /** All names that any node tells, sorted. */
  List<String> named(Function<NodeStatus, Stream<String>> names) {
    return answers.values().stream().flatMap(names).distinct().sorted().toList();
  }

  /** What a member is called in the table. */
  static String label(MemberStatus member) {
    return member.name().isEmpty()
        ? member.address()
        : member.address() + " (" + member.name() + ")";
  }

  /** The names of all services that any node hosts, sorted. */
  List<String> services() {
    var names = new TreeSet<String>();
    for (NodeStatus status : answers.values()) {
      status.services().forEach(service -> names.add(service.name()));
    }
    return new ArrayList<>(names);
  }

  /** The nodes whose replica of the service agrees with the most others; none is ahead of them. */
  List<String> agreeing(String service) {
    var groups = new HashMap<List<Long>, List<String>>();
    for (String node : nodes) {
      of(node, service)
          .filter(ServiceStatus::active)
          .ifPresent(status ->
              groups
                  .computeIfAbsent(
                      List.of(status.executed(), status.hash()), key -> new ArrayList<>())
                  .add(node));
    }
    return groups.entrySet().stream()
        .max(
            Map.Entry.<List<Long>, List<String>>comparingByValue(
                    (one, other) -> Integer.compare(one.size(), other.size()))
                .thenComparing(group -> group.getKey().getFirst()))
        .map(Map.Entry::getValue)
        .orElse(List.of());
  }

  /** Whether it has no copy, and others are to have one. */
  static boolean isSpare(ServiceStatus service) {
    return service.role() == Role.SPARE;
  }

  /** Whether every node answers, hosts something, and agrees in all that it hosts. */
  boolean isWhole() {
    return nodes.stream().allMatch(this::isWhole);
  }

  private boolean isWhole(String node) {
    return of(node)
        .filter(status -> !status.services().isEmpty())
        .filter(status ->
            status.services().stream()
                .allMatch(s -> isFine(s) || agreeing(s.name()).contains(node)))
        .isPresent();
  }

  /** Whether it lacks nothing, though it has no copy: others have all that there are to be. */
  private boolean isFine(ServiceStatus service) {
    return isSpare(service) && leader(service.name()).isPresent();
  }
}
