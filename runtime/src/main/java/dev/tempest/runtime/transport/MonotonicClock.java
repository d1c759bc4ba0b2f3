package dev.tempest.runtime.transport;

/**
 * The wall clock as it was at the start, carried on by the system's monotonic one: it never goes
 * back. Thread-safe.
 */
public final class MonotonicClock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long startNanos = System.currentTimeMillis() * NANOS_PER_MILLI;
  private final long startTicks = System.nanoTime();

  /** Nanoseconds since 1970. */
  public long nowNanos() {
    return startNanos + (System.nanoTime() - startTicks);
  }
}
