package dev.tempest.protocol.order.time;

/**
 * How much of gossip goes into the time of one round: the digest, and answers to two messages of
 * others. So what a replica sends does not depend on how many others happen to pick it. Whoever is
 * not answered asks somebody in its next round.
 */
final class Round {
  /** The digest is the first of three messages. */
  private static final int ANSWERS_MAX = 2;

  private final long intervalNanos;
  private long endNanos = Long.MIN_VALUE;
  private int answers;

  Round(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** Whether one more message of another replica may be answered now; if so, it counts. */
  boolean answers(long nowNanos) {
    if (nowNanos >= endNanos) {
      endNanos = nowNanos + intervalNanos;
      answers = 0;
    }
    return ++answers <= ANSWERS_MAX;
  }
}
