package dev.tempest.cli;

import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ProtocolVersions;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How commands put the status of a cluster into words. */
final class StatusWords {
  /** What to do about nodes that speak other versions. */
  static final String REMEDY = "ask such nodes with the tempest command of their own release";

  private StatusWords() {}

  /** Who speaks other versions than this command, and which, in words; empty if nobody does. */
  static String foreigners(ClusterStatus status) {
    String words =
        status.nodes().stream()
            .filter(status.otherVersions()::containsKey)
            .map(node -> node + " speaks " + status.otherVersions().get(node))
            .collect(Collectors.joining(", "));
    return words.isEmpty()
        ? ""
        : words + " of Tempest's protocol, this command " + ProtocolVersions.own();
  }

  /** All names that any node tells, sorted. */
  static List<String> named(ClusterStatus status, Function<NodeStatus, Stream<String>> names) {
    return status.answers().values().stream().flatMap(names).distinct().sorted().toList();
  }

  /** What a member is called in the table. */
  static String label(MemberStatus member) {
    return member.name().isEmpty()
        ? member.address()
        : member.address() + " (" + member.name() + ")";
  }
}
