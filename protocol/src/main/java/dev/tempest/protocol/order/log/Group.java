package dev.tempest.protocol.order.log;

import java.util.Collection;
import java.util.List;

/**
 * Who agrees on a log, and how patient they are.
 *
 * @param self this replica
 * @param members with whom the group begins; none for one that joins it later, and is told
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
    if (!members.isEmpty() && !members.contains(self)) {
      throw new IllegalArgumentException("the members " + members + " lack this replica, " + self);
    }
    if (heartbeatNanos < 1 || electionNanos < 2 * heartbeatNanos || batchMax < 1) {
      throw new IllegalArgumentException(
          "a leader has to speak twice at least before it is succeeded, and to send something");
    }
  }

  /** Whether most of the members are among these. */
  static boolean isMajority(Collection<Long> some, List<Long> members) {
    long present = members.stream().filter(some::contains).count();
    return present > members.size() / 2;
  }
}
