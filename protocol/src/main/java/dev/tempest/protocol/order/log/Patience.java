package dev.tempest.protocol.order.log;

import dev.tempest.wire.Ballot;

/**
 * For how long a leader may be silent before it is succeeded. Leaders that follow each other soon
 * are busy rather than gone, with what each of them is asked for in turn: so they get more time.
 */
final class Patience {
  /** Sooner than after so many elections. */
  private static final int SOON_ELECTIONS = 10;

  private static final int DOUBLINGS_MAX = 3;

  private final long usualNanos;

  /** The last one of whom it is known that it led. */
  private Ballot last = Ballot.NONE;

  private long sinceNanos;
  private int doublings;

  Patience(long usualNanos) {
    this.usualNanos = usualNanos;
  }

  long electionNanos() {
    return usualNanos << doublings;
  }

  /** Somebody leads by this ballot. */
  void leads(Ballot ballot, long nowNanos) {
    if (ballot.equals(last)) {
      return;
    }
    boolean isFirst = last.equals(Ballot.NONE);
    boolean isSoon = !isFirst && nowNanos - sinceNanos < SOON_ELECTIONS * electionNanos();
    doublings = isSoon ? Math.min(doublings + 1, DOUBLINGS_MAX) : 0;
    last = ballot;
    sinceNanos = nowNanos;
  }
}
