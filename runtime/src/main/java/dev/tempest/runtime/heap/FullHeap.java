package dev.tempest.runtime.heap;

import java.time.Duration;

/**
 * Whether a heap is all but full. Only a garbage collection can tell what of it is garbage, and it
 * may hold everything up. So this asks for one where much is in use, and rests after it: for twenty
 * times as long as it took, or for ten times as long if half of the room that it made is used up.
 *
 * <p>Not thread-safe.
 */
final class FullHeap {
  /** If so much is in use after a collection, most collectors would soon do little else. */
  private static final double FULL = 0.85;

  /** A heap that was full has room again: it is not to change with every entry. */
  private static final double ROOM = 0.8;

  private static final long REST_MIN_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int RESTS = 20;
  private static final int SHORT_RESTS = 10;

  private boolean isFull;

  /** The part that was in use when there was least garbage lately. */
  private double used;

  private long collectedNanos;
  private long tookNanos;

  /** Of a heap that is not full, and may be collected. */
  FullHeap(long nowNanos) {
    this.collectedNanos = nowNanos - REST_MIN_NANOS;
  }

  boolean isFull() {
    return isFull;
  }

  /**
   * Takes a reading.
   *
   * @param inUse the part of the heap that is in use now, garbage included
   * @return whether there is to be a collection now
   */
  boolean read(long nowNanos, double inUse) {
    if (inUse < (isFull ? ROOM : FULL)) {
      isFull = false;
      used = Math.min(used, inUse);
      return false;
    }
    long restedNanos = nowNanos - collectedNanos;
    boolean isFilling = !isFull && inUse - used >= (1 - used) / 2;
    return isFilling
        ? restedNanos >= SHORT_RESTS * tookNanos
        : restedNanos >= Math.max(REST_MIN_NANOS, RESTS * tookNanos);
  }

  /**
   * There was a collection.
   *
   * @param leftInUse the part of the heap that the latest one has left in use
   */
  void collected(long beganNanos, long endedNanos, double leftInUse) {
    used = leftInUse;
    isFull = used >= (isFull ? ROOM : FULL);
    collectedNanos = endedNanos;
    tookNanos = endedNanos - beganNanos;
  }
}
