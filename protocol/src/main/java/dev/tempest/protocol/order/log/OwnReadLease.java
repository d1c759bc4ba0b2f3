package dev.tempest.protocol.order.log;

import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;

/**
 * Until when a follower may read alone: all that is committed anywhere is in the log that it has
 * accepted. It counts from when the follower wished that, which is earlier than the leader heard of
 * it, and not from when the answer came. Not thread-safe.
 */
final class OwnReadLease {
  /** What is given to an earlier life is none of this one. */
  private final long beganNanos;

  private Ballot ballot = Ballot.NONE;
  private long untilNanos = Long.MIN_VALUE;

  OwnReadLease(long beganNanos) {
    this.beganNanos = beganNanos;
  }

  /** The leader that this replica follows gives it one. */
  void take(LogMessage.ReadLease lease, Group group, long nowNanos) {
    if (lease.since() < beganNanos || lease.since() > nowNanos) {
      return;
    }
    long endNanos = lease.since() + group.surely(lease.nanos());
    untilNanos = lease.ballot().equals(ballot) ? Math.max(untilNanos, endNanos) : endNanos;
    ballot = lease.ballot();
  }

  /** If it has the log of the leader that gave it; else earlier than any clock says. */
  long untilNanos(Acceptor acceptor) {
    boolean counts = ballot.equals(acceptor.promised()) && acceptor.isWhole();
    return counts ? untilNanos : Long.MIN_VALUE;
  }
}
