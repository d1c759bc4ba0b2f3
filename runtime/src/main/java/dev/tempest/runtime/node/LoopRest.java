package dev.tempest.runtime.node;

import java.util.function.LongSupplier;

/**
 * Until when the event loop rests, and which writes of other threads have to wake it.
 *
 * <p>The loop rests for short while threads write, so that hardly any write has to wake it: whoever
 * wakes a thread on a busy machine gives way to it, for as long as its turn takes.
 *
 * <p>Thread-safe.
 */
final class LoopRest {
  /** How long the loop rests at most while threads write. */
  private static final long SHORT_NANOS = 1_000_000;

  /** They do for so long after each write: whoever writes more seldom wakes the loop. */
  private static final long WRITING_NANOS = 5_000_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final LongSupplier nowNanos;
  private final Runnable wakeup;

  /** When the replica wants the next tick. */
  private volatile long dueNanos = NEVER;

  /** Until then the loop rests; long ago while it does not. */
  private volatile long untilNanos = Long.MIN_VALUE;

  /** When a thread wrote what is to be sent at once. */
  private volatile long wroteNanos;

  /**
   * The loop does not rest yet.
   *
   * @param nowNanos the time
   * @param wakeup ends its rest
   */
  LoopRest(LongSupplier nowNanos, Runnable wakeup) {
    this.nowNanos = nowNanos;
    this.wakeup = wakeup;
  }

  /** When the replica wants the next tick. */
  long dueNanos() {
    return dueNanos;
  }

  /** The replica wants the next tick then. */
  void due(long nanos) {
    dueNanos = nanos;
  }

  /**
   * The loop is going to rest.
   *
   * @param latestNanos when it wakes up at the latest
   * @return until when it may rest
   */
  long begin(long latestNanos) {
    // First: a write from here on sees it and wakes the loop, the loop sees an earlier one below.
    untilNanos = NEVER;
    long until = Math.min(latestNanos, dueNanos);
    long now = nowNanos.getAsLong();
    if (now - wroteNanos < WRITING_NANOS) {
      until = Math.min(until, now + SHORT_NANOS);
    }
    untilNanos = until;
    return until;
  }

  /**
   * A thread has written: the loop sends it, soon by itself, or now.
   *
   * @param awaited whether somebody waits for others to have it
   */
  void wrote(boolean awaited) {
    long now = nowNanos.getAsLong();
    if (dueNanos > now && !awaited) {
      return; // There is nothing to be sent, as where nobody else is.
    }
    wroteNanos = now; // First: the loop rests for short from here on.
    long until = untilNanos;
    boolean rests = until != Long.MIN_VALUE;
    if (rests && (awaited || (dueNanos < until && until - now > SHORT_NANOS))) {
      untilNanos = Long.MIN_VALUE; // Once is enough.
      wakeup.run();
    }
  }

  /** Ends the rest. */
  void end() {
    wakeup.run();
  }
}
