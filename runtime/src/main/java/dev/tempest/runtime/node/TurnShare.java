package dev.tempest.runtime.node;

/**
 * How long a turn of the loop executes requests: for as long as everything else took since it last
 * did, so that requests get half of a loop that is short of time, however many replicas it drives;
 * within bounds, since what replicas have sent is to wait neither for many requests nor after a
 * stop of the process.
 *
 * <p>Not thread-safe.
 */
final class TurnShare {
  private final long minNanos;
  private final long maxNanos;

  /** When it last ended; as long as something waits since. */
  private long endedNanos;

  private boolean more;

  TurnShare(long minNanos, long maxNanos) {
    this.minNanos = minNanos;
    this.maxNanos = maxNanos;
  }

  /** When those that wait are to be left for the next turn. */
  long end(long nowNanos) {
    long othersNanos = more ? nowNanos - endedNanos : 0;
    return nowNanos + Math.clamp(othersNanos, minNanos, maxNanos);
  }

  /** A turn executes none any more; {@code waiting} says whether some are left. */
  void ended(long nowNanos, boolean waiting) {
    endedNanos = nowNanos;
    more = waiting;
  }
}
