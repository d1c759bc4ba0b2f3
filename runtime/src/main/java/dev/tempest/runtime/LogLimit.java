package dev.tempest.runtime;

/** Logs one of many alike, at most every ten seconds. Not thread-safe. */
public final class LogLimit {
  /** The end of each message that is logged. */
  public static final String OTHERS = "Others are not logged for 10 s";

  private static final long PAUSE_NANOS = 10_000_000_000L;

  private long nextNanos = Long.MIN_VALUE;

  /** Whether to log this one. */
  public boolean admits(long nowNanos) {
    if (nowNanos < nextNanos) {
      return false;
    }
    nextNanos = nowNanos + PAUSE_NANOS;
    return true;
  }
}
