package dev.tempest.protocol.order;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * How many members have to have an entry before it is committed. Whoever leads next hears so many
 * before that one of them has it.
 */
public enum Quorum {
  /** Most of them: any two majorities meet. */
  MAJORITY,
  /**
   * All of them have it, so one of them that takes over need ask nobody else (Lamport, Malkhi and
   * Zhou, Vertical Paxos and primary-backup replication, PODC 2009).
   */
  ALL;

  /** How many have to have an entry. */
  public int accepting(int members) {
    return this == ALL ? members : members / 2 + 1;
  }

  /**
   * How many of those who vote for what comes, each by itself, choose: of any two such quorums and
   * one that accepts, all three meet.
   */
  public int voting(int members) {
    return (2 * members - accepting(members)) / 2 + 1;
  }

  /** Whether what these have is committed. */
  public boolean accepts(Collection<Long> some, List<Long> members) {
    return present(some, members) >= accepting(members.size());
  }

  /** Up to where enough members have a log, given how much each has. */
  public long committed(long[] lengths) {
    long[] sorted = lengths.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - accepting(sorted.length)];
  }

  private static long present(Collection<Long> some, List<Long> members) {
    return members.stream().filter(some::contains).count();
  }
}
