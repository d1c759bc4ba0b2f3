package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.protocol.order.Quorum;

/**
 * How the replicas of a group agree on a log: how patient they are, and how much travels at once.
 *
 * @param self this replica
 * @param quorum which members have to have an entry before it is committed
 * @param heartbeatNanos how often a leader speaks, at least
 * @param electionNanos after how long of silence a leader is succeeded; up to twice as long, since
 *     each waits for a time of its own
 * @param stores whether what binds a replica is said once it is stored: its process may come back
 *     with it
 * @param leases who may read alone, because members follow nobody else for a while
 * @param isFast whether members vote for updates as they come, while a period for that is open
 * @param batchMax how many entries travel in one message at most
 * @param batchMaxBytes how much they take, unless it is one
 */
public record Group(
    long self,
    Quorum quorum,
    long heartbeatNanos,
    long electionNanos,
    boolean stores,
    Leases leases,
    boolean isFast,
    int batchMax,
    int batchMaxBytes) {
  private static final int HELD_BACK = 10;

  /** So many times in a heartbeat others hear at least what clients know by votes. */
  private static final int VOTES_IN_HEARTBEAT = 16;

  /** Who may read alone. */
  public enum Leases {
    /** Nobody. */
    NONE,
    /** The leader. */
    LEADER,
    /** All members that it lets, for whom what is committed waits. */
    MEMBERS;

    /** As reads want it. */
    public static Leases of(Reads reads) {
      return switch (reads) {
        case LINEARIZABLE, SESSION, STALE -> NONE;
        case LEASE -> LEADER;
        case LOCAL -> MEMBERS;
      };
    }
  }

  /** One whose leader proposes all. */
  public Group(
      long self,
      Quorum quorum,
      long heartbeatNanos,
      long electionNanos,
      boolean stores,
      Leases leases,
      int batchMax,
      int batchMaxBytes) {
    this(
        self,
        quorum,
        heartbeatNanos,
        electionNanos,
        stores,
        leases,
        false,
        batchMax,
        batchMaxBytes);
  }

  /** Refuses what cannot work. */
  public Group {
    if (isFast && (quorum != Quorum.MAJORITY || stores || leases != Leases.NONE)) {
      throw new IllegalArgumentException(
          "members vote where a majority agrees, in memory, and nobody reads alone");
    }
    if (heartbeatNanos < 1
        || electionNanos < 2 * heartbeatNanos
        || batchMax < 1
        || batchMaxBytes < 1) {
      throw new IllegalArgumentException(
          "a leader has to speak twice at least before it is succeeded, and to send something");
    }
  }

  /**
   * For so long whoever holds back leads, until another one takes over; and waits before it leads:
   * longer than those who do not hold back, however patient all are.
   */
  long heldBackNanos() {
    return HELD_BACK * electionNanos;
  }

  /**
   * For how long a lease counts that was granted at once. All others are more patient than that,
   * even if their clocks run faster by a third.
   */
  long leaseNanos() {
    return electionNanos / 4 * 3;
  }

  /**
   * What has passed by the clock of another one when that much of this has by its own, for sure.
   */
  long surely(long nanos) {
    return nanos / 4 * 3;
  }

  /**
   * For how long others need not hear what clients know by votes: a datagram has all that came
   * until then.
   */
  long votesTogetherNanos() {
    return heartbeatNanos / VOTES_IN_HEARTBEAT;
  }

  /**
   * Whether a follower knows by itself that what it and its leader have is committed, where these
   * are enough: nothing waits for a disk, or for others that read alone.
   */
  boolean followersCommit() {
    return !stores && leases != Leases.MEMBERS;
  }
}
