package dev.tempest.runtime.transport;

/** When multicast is tried again that has failed: until then, copies go to single members. */
final class MulticastRest {
  /** A network that had no multicast, or no way out, may have it again. */
  private static final long NANOS = 5_000_000_000L;

  private boolean isResting;
  private long untilNanos;

  boolean isOver(long nowNanos) {
    return !isResting || nowNanos - untilNanos >= 0;
  }

  void failed(long nowNanos) {
    isResting = true;
    untilNanos = nowNanos + NANOS;
  }

  /** There are other networks: they may do better. */
  void end() {
    isResting = false;
  }
}
