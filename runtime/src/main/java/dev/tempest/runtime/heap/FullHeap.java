package dev.tempest.runtime.heap;

import java.time.Duration;

/**
 * Whether a heap is all but full. Only a garbage collection can tell what of it is garbage, and may
 * hold everything up. There is to be one where little is left, for a twentieth of the time; and, as
 * long as the heap is not full, once half of what the last one had left is used: the collector
 * would have its own soon.
 *
 * <p>Not thread-safe.
 */
final class FullHeap {
  /** Of what outlives collections: above it, most collectors do little but collect. */
  private static final double FULL = 0.85;

  private static final long REST_MIN_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int RESTS = 20;

  /** The part that was in use the last time when there was no garbage, or not much. */
  private double left;

  private long nextNanos;

  /** Of a heap that is not full. */
  FullHeap(long nowNanos) {
    this.nextNanos = nowNanos;
  }

  boolean isFull() {
    return left >= FULL;
  }

  /**
   * Takes a reading.
   *
   * @param inUse the part of the heap that is in use now, garbage included
   * @return whether there is to be a collection now
   */
  boolean read(long nowNanos, double inUse) {
    if (inUse < FULL) {
      left = Math.min(left, inUse);
      return false;
    }
    return nowNanos - nextNanos >= 0 || (!isFull() && inUse - left >= (1 - left) / 2);
  }

  /**
   * There was a collection.
   *
   * @param leftInUse the part of the heap that the latest one has left in use
   */
  void collected(long beganNanos, long endedNanos, double leftInUse) {
    left = leftInUse;
    nextNanos = endedNanos + Math.max(REST_MIN_NANOS, RESTS * (endedNanos - beganNanos));
  }
}
