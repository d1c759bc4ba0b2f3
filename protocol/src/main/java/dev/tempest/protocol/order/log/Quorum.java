package dev.tempest.protocol.order.log;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * How many members have to have an entry before it is committed, and how many have to promise
 * before another one leads: any two such sets meet.
 */
public enum Quorum {
  /** Most of them, for both. */
  MAJORITY,
  /**
   * All of them have it, so one of them that takes over need ask nobody else (Lamport, Malkhi and
   * Zhou, Vertical Paxos and primary-backup replication, PODC 2009).
   */
  ALL;

  /** How many have to have an entry. */
  int accepting(int members) {
    return this == ALL ? members : members / 2 + 1;
  }

  private int promising(int members) {
    return this == ALL ? 1 : members / 2 + 1;
  }

  /** Whether what these have is committed. */
  boolean accepts(Collection<Long> some, List<Long> members) {
    return present(some, members) >= accepting(members.size());
  }

  /** Whether all that was ever committed is known if these say what they have. */
  boolean promises(Collection<Long> some, List<Long> members) {
    return present(some, members) >= promising(members.size());
  }

  /** Up to where enough members have a log, given how much each has. */
  long committed(long[] lengths) {
    long[] sorted = lengths.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - accepting(sorted.length)];
  }

  private static long present(Collection<Long> some, List<Long> members) {
    return members.stream().filter(some::contains).count();
  }
}
