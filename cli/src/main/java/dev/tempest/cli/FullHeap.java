package dev.tempest.cli;

import java.time.Duration;

/**
 * Whether a heap is all but full: most collectors throw no {@code OutOfMemoryError} as long as each
 * collection gains a little, and the process then does next to nothing else, for ever.
 */
final class FullHeap {
  private static final long LONG_NANOS = Duration.ofSeconds(10).toNanos();
  private static final double IN_USE = 0.9;
  private static final double COLLECTING = 0.5;

  private long atNanos;
  private long collectedMillis;
  private long fullNanos;

  /** As it is now; see {@link #isMet}. */
  FullHeap(long nowNanos, long collectedMillis) {
    this.atNanos = nowNanos;
    this.collectedMillis = collectedMillis;
  }

  /**
   * Whether it has been full for so long that it is no peak, by the next reading.
   *
   * @param collectedMillis for how long collections have held up everything so far
   * @param inUse the part of the heap that the latest ones have left in use
   */
  boolean isMet(long nowNanos, long collectedMillis, double inUse) {
    long passedNanos = nowNanos - atNanos;
    double spentNanos = (collectedMillis - this.collectedMillis) * 1e6;
    boolean isFull = inUse >= IN_USE && spentNanos >= COLLECTING * passedNanos;
    fullNanos = isFull ? fullNanos + passedNanos : 0;
    atNanos = nowNanos;
    this.collectedMillis = collectedMillis;
    return fullNanos >= LONG_NANOS;
  }
}
