package dev.tempest.runtime.transport;

import java.util.function.LongSupplier;

/**
 * The wall clock, carried on by the system's monotonic one: it never goes back. Where the wall
 * clock is ahead, as after a suspend, in which the monotonic one stands still, it follows within a
 * moment; where the wall clock was set back, it goes on as if it had not been. Thread-safe.
 */
public final class MonotonicClock {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long LOOK_EVERY_NANOS = 100 * NANOS_PER_MILLI;

  /**
   * Below it the two differ by how they are read. It is longer than the silence after which a
   * leader is succeeded: whoever follows one notices such a leap, and is patient.
   */
  private static final long STEP_NANOS = 1_000 * NANOS_PER_MILLI;

  /** The system property that says by how much its wall clock is off on purpose, for tests. */
  private static final String OFF_MILLIS_PROPERTY = "tempest.test.clock-off-millis";

  private static final long OFF_MILLIS = Long.getLong(OFF_MILLIS_PROPERTY, 0);

  private static final MonotonicClock OF_PROCESS =
      new MonotonicClock(() -> System.currentTimeMillis() + OFF_MILLIS, System::nanoTime);

  private final LongSupplier wallMillis;
  private final LongSupplier ticks;

  /** What is to be added to ticks; grows only. */
  private volatile long offsetNanos;

  private volatile long nextLookTicks;

  MonotonicClock(LongSupplier wallMillis, LongSupplier ticks) {
    this.wallMillis = wallMillis;
    this.ticks = ticks;
    long wallNanos = wallMillis.getAsLong() * NANOS_PER_MILLI;
    long nowTicks = ticks.getAsLong();
    this.offsetNanos = wallNanos - nowTicks;
    this.nextLookTicks = nowTicks + LOOK_EVERY_NANOS;
  }

  /**
   * The clock of this process. There is one: what one front-end does after another one counts after
   * it, even if the wall clock was set back by a little in between.
   */
  public static MonotonicClock ofProcess() {
    return OF_PROCESS;
  }

  /** Nanoseconds since 1970. */
  public long nowNanos() {
    long nowTicks = ticks.getAsLong();
    if (nowTicks - nextLookTicks >= 0) {
      look();
    }
    return offsetNanos + nowTicks;
  }

  /** Follows the wall clock now: this process may have been suspended until a moment ago. */
  synchronized void look() {
    long wallNanos = wallMillis.getAsLong() * NANOS_PER_MILLI;
    long nowTicks = ticks.getAsLong(); // Later: what passes in between does not count twice.
    nextLookTicks = nowTicks + LOOK_EVERY_NANOS;
    long behindNanos = wallNanos - offsetNanos - nowTicks;
    if (behindNanos > STEP_NANOS) {
      offsetNanos += behindNanos;
    }
  }
}
