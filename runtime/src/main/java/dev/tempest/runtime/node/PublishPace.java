package dev.tempest.runtime.node;

/**
 * How often the loop comes to a version for readers: seldom, where that takes long. Not
 * thread-safe.
 */
final class PublishPace {
  /** To come to a version takes microseconds, unless much has to be executed again. */
  private static final long LONG_NANOS = 1_000_000;

  private static final int PAUSE_FACTOR = 2;
  private static final long PAUSE_MAX_NANOS = 300_000_000;

  private long nextNanos = Long.MIN_VALUE;

  /** When the next version may be come to. */
  long nextNanos() {
    return nextNanos;
  }

  /** To come to one took from then to then. */
  void took(long startNanos, long endNanos) {
    long tookNanos = endNanos - startNanos;
    if (tookNanos >= LONG_NANOS) {
      nextNanos = endNanos + Math.min(PAUSE_FACTOR * tookNanos, PAUSE_MAX_NANOS);
    }
  }
}
