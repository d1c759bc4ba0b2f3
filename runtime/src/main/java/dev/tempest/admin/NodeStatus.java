package dev.tempest.admin;

import dev.tempest.wire.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

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

  static NodeStatus of(Message.Status status, Duration clockOffset, Duration clockError) {
    Map<String, Long> dropped = new LinkedHashMap<>();
    status.dropped().forEach(each -> dropped.put(printable(each.kind()), each.count()));
    return new NodeStatus(
        printable(status.name()),
        Instant.ofEpochMilli(status.startedMillis()),
        clockOffset,
        clockError,
        status.services().stream().map(ServiceStatus::of).toList(),
        status.members().told().stream().map(MemberStatus::of).toList(),
        status.members().more(),
        status.collections().told().stream().map(CollectionStatus::of).toList(),
        status.collections().more(),
        dropped);
  }

  /** What comes from the network does not get to steer a terminal. */
  static String printable(String text) {
    return text.replaceAll("\\p{C}", "?");
  }

  static OptionalLong known(long number) {
    return number == Message.NOT_KNOWN ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
