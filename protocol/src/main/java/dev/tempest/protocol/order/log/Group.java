package dev.tempest.protocol.order.log;

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
 * @param leases whether a leader asks the others to follow nobody else for a while
 * @param batchMax how many entries travel in one message at most
 * @param batchMaxBytes how much they take, unless it is one
 */
public record Group(
    long self,
    Quorum quorum,
    long heartbeatNanos,
    long electionNanos,
    boolean stores,
    boolean leases,
    int batchMax,
    int batchMaxBytes) {
  private static final int HELD_BACK = 10;

  /** Refuses what cannot work. */
  public Group {
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
}
