package dev.tempest.simulator;

/**
 * The clock of one machine: some way off, a little too fast or too slow, set right at times, never
 * going back for one process.
 */
final class SimClock {
  /** When worlds begin: 2026-01-01T00:00:00Z, in nanoseconds since 1970. */
  static final long EPOCH_NANOS = 1_767_225_600_000_000_000L;

  private static final long PARTS = 1_000_000;

  private long offsetNanos;
  private final int driftPartsPerMillion;
  private long farOffNanos;
  private long lastNanos;

  SimClock(long offsetNanos, int driftPartsPerMillion) {
    this.offsetNanos = offsetNanos;
    this.driftPartsPerMillion = driftPartsPerMillion;
  }

  /** What it shows: nanoseconds since 1970. */
  long read(long virtualNanos) {
    lastNanos = Math.max(lastNanos, shown(virtualNanos));
    return lastNanos;
  }

  /** When it will show {@code clockNanos} if nobody sets it. */
  long virtualNanos(long clockNanos) {
    long elapsed = clockNanos - EPOCH_NANOS - offsetNanos - farOffNanos;
    long guess = elapsed - elapsed * driftPartsPerMillion / PARTS - PARTS;
    // Both conversions round: creep up, so that a timer never fires early by a nanosecond.
    while (shown(guess) < clockNanos) {
      guess += Math.max(1, (clockNanos - shown(guess)) / 2);
    }
    return guess;
  }

  /** Sets it: backwards it stands still until the time has caught up. */
  void shift(long nanos) {
    offsetNanos += nanos;
  }

  /** The next process that starts finds it far off. */
  void farOff(long nanos) {
    farOffNanos = nanos;
  }

  /** Somebody sets it far ahead while a process runs; the next one finds it right. */
  void leap(long nanos) {
    farOffNanos += nanos;
  }

  /**
   * A process that starts does not know what an earlier one saw; what was far off has been noticed.
   */
  void forget() {
    lastNanos = Long.MIN_VALUE;
    farOffNanos = 0;
  }

  private long shown(long virtualNanos) {
    return EPOCH_NANOS
        + offsetNanos
        + farOffNanos
        + virtualNanos
        + virtualNanos * driftPartsPerMillion / PARTS;
  }
}
