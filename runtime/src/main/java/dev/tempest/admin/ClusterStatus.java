package dev.tempest.admin;

import dev.tempest.admin.ServiceStatus.Role;
import dev.tempest.config.HostPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * How all nodes of a cluster were when they were asked.
 *
 * @param nodes all of them, in the order of the configuration
 * @param answers of those that answered
 * @param otherVersions of those that speak only other versions of the protocol than this process
 */
public record ClusterStatus(
    List<String> nodes,
    Map<String, NodeStatus> answers,
    Map<String, ProtocolVersions> otherVersions) {
  /** More columns than these are of no use to anybody. */
  private static final int SHOWN_MAX = 64;

  /** Keeps its own copies. */
  public ClusterStatus {
    nodes = List.copyOf(nodes);
    answers = Map.copyOf(answers);
    otherVersions = Map.copyOf(otherVersions);
  }

  /** Asks all nodes, and waits for a second at most for those that do not reply. */
  public static ClusterStatus ask(Admin admin, List<String> nodes) {
    StatusReport report = admin.report();
    return new ClusterStatus(nodes, report.nodes(), report.otherVersions());
  }

  /**
   * The nodes to show: those that were asked, and the members that their answers name.
   *
   * @param all whether those count that are silent, while others answered
   */
  public List<String> everybody(boolean all) {
    var everybody = new ArrayList<>(nodes);
    everybody.removeIf(node -> !all && !answers.isEmpty() && isSilent(node));
    var named = new HashSet<String>();
    everybody.removeIf(
        node -> isAskedAtItsAddressToo(node) || !ownAddress(node).map(named::add).orElse(true));
    var known = new TreeSet<>(everybody); // A member that is silent was perhaps asked.
    answers.keySet().stream()
        .flatMap(node -> ownAddress(node).stream())
        .forEach(known::add); // Maybe asked by another name.
    answers.values().stream()
        .flatMap(status -> status.members().stream())
        .filter(member -> isAddress(member.address()) && known.add(member.address()))
        .limit(Math.max(0, SHOWN_MAX - everybody.size()))
        .map(MemberStatus::address)
        .forEach(everybody::add);
    return everybody;
  }

  /** Whoever is asked by a name, and by its address as well, counts once; so does who has two. */
  private boolean isAskedAtItsAddressToo(String node) {
    return ownAddress(node)
        .filter(address -> !address.equals(node) && answers.containsKey(address))
        .isPresent();
  }

  /** Where a node says that it is. */
  private Optional<String> ownAddress(String node) {
    return of(node)
        .flatMap(status -> status.members().stream().findFirst().map(MemberStatus::address));
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

  /** What a node said, if it answered. */
  public Optional<NodeStatus> of(String node) {
    return Optional.ofNullable(answers.get(node));
  }

  /** What a node said of a service, if it answered and hosts it. */
  public Optional<ServiceStatus> of(String node, String service) {
    return of(node)
        .flatMap(
            status -> status.services().stream().filter(s -> s.name().equals(service)).findFirst());
  }

  /** The node whose replica leads those of the service, if one of them does. */
  public Optional<String> leader(String service) {
    return nodes.stream()
        .filter(
            node -> of(node, service).filter(status -> status.role() == Role.LEADER).isPresent())
        .findFirst();
  }

  /** The names of all services that any node hosts, sorted. */
  public List<String> services() {
    var names = new TreeSet<String>();
    for (NodeStatus status : answers.values()) {
      status.services().forEach(service -> names.add(service.name()));
    }
    return new ArrayList<>(names);
  }

  /** The nodes whose replica of the service agrees with the most others; none is ahead of them. */
  public List<String> agreeing(String service) {
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

  private static boolean isSpare(ServiceStatus service) {
    return service.role() == Role.SPARE;
  }

  /** Whether every node answers, hosts something, and agrees in all that it hosts. */
  public boolean isWhole() {
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

  /** What {@code tempest status --json} prints: one object on one line. */
  public String toJson() {
    return StatusJson.of(this);
  }
}
