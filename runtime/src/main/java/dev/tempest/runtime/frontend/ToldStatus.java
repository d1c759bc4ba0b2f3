package dev.tempest.runtime.frontend;

import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.wire.Message;
import dev.tempest.wire.ReplicaRole;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What a node says of itself, as tools are told it. */
public final class ToldStatus {
  private ToldStatus() {}

  /** The status of a node whose clock is so far ahead of that of this process. */
  public static NodeStatus node(Message.Status status, Duration clockOffset, Duration clockError) {
    Map<String, Long> dropped = new LinkedHashMap<>();
    status.dropped().forEach(each -> dropped.put(printable(each.kind()), each.count()));
    return new NodeStatus(
        printable(status.name()),
        Instant.ofEpochMilli(status.startedMillis()),
        clockOffset,
        clockError,
        status.services().stream().map(ToldStatus::service).toList(),
        status.members().told().stream().map(ToldStatus::member).toList(),
        status.members().more(),
        status.collections().told().stream().map(ToldStatus::collection).toList(),
        status.collections().more(),
        dropped);
  }

  /** What comes from the network does not get to steer a terminal. */
  public static String printable(String text) {
    return text.replaceAll("\\p{C}", "?");
  }

  private static MemberStatus member(Message.MemberStatus status) {
    return new MemberStatus(printable(status.address()), printable(status.name()), status.silent());
  }

  private static CollectionStatus collection(Message.CollectionStatus status) {
    return new CollectionStatus(
        printable(status.service()),
        printable(status.collection()),
        status.entries(),
        known(status.sizeBytes()));
  }

  private static ServiceStatus service(Message.ServiceStatus status) {
    return new ServiceStatus(
        printable(status.name()),
        status.active(),
        role(status.role()),
        status.executed(),
        status.hash(),
        status.unsettled(),
        status.late(),
        status.rerun(),
        status.repaired(),
        status.reads(),
        status.byVotes(),
        status.diverged(),
        known(status.lagMillis()),
        known(status.checkpoint().millis()),
        status.checkpoint().failing());
  }

  private static ServiceStatus.Role role(ReplicaRole role) {
    return switch (role) {
      case PEER -> ServiceStatus.Role.PEER;
      case FOLLOWER -> ServiceStatus.Role.FOLLOWER;
      case LEADER -> ServiceStatus.Role.LEADER;
      case SPARE -> ServiceStatus.Role.SPARE;
    };
  }

  private static OptionalLong known(long number) {
    return number == Message.NOT_KNOWN ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
