package dev.tempest.runtime.node;

/**
 * How long a turn of the loop executes requests: updates for as long as everything else took since
 * it last did, and reads for half of that. So requests get their share of a loop that is short of
 * time, however many replicas it drives; within bounds, since what replicas have sent is to wait
 * neither for many requests nor after a stop of the process.
 *
 * <p>Not thread-safe.
 */
final class TurnShare {
  static final long UPDATING_MIN_NANOS = 2_000_000;
  static final long UPDATING_MAX_NANOS = 20_000_000;
  static final long READING_MIN_NANOS = 1_000_000;
  static final long READING_MAX_NANOS = 5_000_000;

  private long endedNanos;

  /** Whether some were left then: else the loop has rested since, maybe. */
  private boolean leftSome;

  private long othersNanos;

  /** A turn is about to execute requests. */
  void begins(long nowNanos) {
    othersNanos = leftSome ? nowNanos - endedNanos : 0;
  }

  /** For so long it executes updates. */
  long updatingNanos() {
    return Math.clamp(othersNanos, UPDATING_MIN_NANOS, UPDATING_MAX_NANOS);
  }

  /** For so long it executes reads, after them. */
  long readingNanos() {
    return Math.clamp(othersNanos / 2, READING_MIN_NANOS, READING_MAX_NANOS);
  }

  /** It executes none any more; {@code areLeft} says whether some wait for the next one. */
  void ends(long nowNanos, boolean areLeft) {
    endedNanos = nowNanos;
    leftSome = areLeft;
  }
}
