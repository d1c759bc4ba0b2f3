package dev.tempest.runtime.node;

/** Of what happens again and again, one is logged every ten seconds. */
final class LogLimit {
  /** How messages end that it holds back. */
  static final String OTHERS = "Others are not logged for 10 s";

  private static final long PAUSE_NANOS = 10_000_000_000L;

  private long nextNanos = Long.MIN_VALUE;

  /** Whether this one is. */
  boolean admits(long nowNanos) {
    if (nowNanos < nextNanos) {
      return false;
    }
    nextNanos = nowNanos + PAUSE_NANOS;
    return true;
  }
}
