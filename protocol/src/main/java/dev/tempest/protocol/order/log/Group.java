package dev.tempest.protocol.order.log;

import java.util.List;

/**
 * Who agrees on a log, and how patient they are.
 *
 * @param self this replica
 * @param members all of them, this one included
 * @param heartbeatNanos how often a leader speaks, at least
 * @param electionNanos after how long of silence a leader is succeeded; up to twice as long, since
 *     each waits for a time of its own
 * @param batchMax how many entries travel in one message at most
 */
public record Group(
    long self, List<Long> members, long heartbeatNanos, long electionNanos, int batchMax) {
  /** Refuses what cannot work. */
  public Group {
    members = List.copyOf(members);
    if (!members.contains(self)) {
      throw new IllegalArgumentException("the members " + members + " lack this replica, " + self);
    }
    if (heartbeatNanos < 1 || electionNanos < 2 * heartbeatNanos || batchMax < 1) {
      throw new IllegalArgumentException(
          "a leader has to speak twice at least before it is succeeded, and to send something");
    }
  }

  /** So many are a majority. */
  int majority() {
    return members.size() / 2 + 1;
  }

  /** All but this one. */
  List<Long> others() {
    return members.stream().filter(member -> member != self).toList();
  }
}
