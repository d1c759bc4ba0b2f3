package dev.tempest.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The status of a node.
 *
 * @param name its name, by default its address as {@code host:port}
 * @param started when its process started, by its own clock
 * @param clockOffset how far its clock is ahead of the clock of the process that asked; exact to
 *     within {@code clockError}
 * @param clockError half the time between the question and the answer
 * @param services what it hosts; {@code collections} stands for the collections of a node
 * @param members the members that it knows, itself first, then silent ones; none before it is a
 *     member
 * @param membersMore how many members it knows besides
 * @param collections those with most entries first
 * @param collectionsMore how many collections there are besides
 * @param dropped how many datagrams, connections and messages it lost or refused since it started,
 *     by kind
 */
public record NodeStatus(
    String name,
    Instant started,
    Duration clockOffset,
    Duration clockError,
    List<ServiceStatus> services,
    List<MemberStatus> members,
    long membersMore,
    List<CollectionStatus> collections,
    long collectionsMore,
    Map<String, Long> dropped) {
  /** Keeps its own copies. */
  public NodeStatus {
    services = List.copyOf(services);
    members = List.copyOf(members);
    collections = List.copyOf(collections);
    dropped = Collections.unmodifiableMap(new LinkedHashMap<>(dropped));
  }
}
