package dev.tempest.protocol.order.time;

/**
 * A leap of the clock of this process, from one event to the next: either time has passed while it
 * stood still, or somebody has set its clock. The others know: until one of them has said what its
 * clock shows, nobody here knows what time it is.
 */
final class Leap {
  private static final long NEVER = Long.MAX_VALUE;

  /** Longer than most rounds of gossip in which nobody speaks to this one. */
  private static final long AWAIT_NANOS = 5_000 * ReplicaClock.NANOS_PER_MILLI;

  /** Where all stood still together, not all notice it at once. */
  private static final long NOTICE_NANOS = 1_000 * ReplicaClock.NANOS_PER_MILLI;

  /** How far the clock leapt, and updates do not count by it; 0 if it did not. */
  private long millis;

  /** Until when to wait for what others say. */
  private long untilNanos = NEVER;

  private boolean denied;

  /** The clock leapt by so much. */
  void begin(long leaptMillis, long nowNanos) {
    millis = isOpen() ? millis + leaptMillis : leaptMillis;
    untilNanos = nowNanos + AWAIT_NANOS;
    denied = false;
  }

  /** How far the clock leapt, and updates do not count by it; 0 if it did not. */
  long millis() {
    return millis;
  }

  /** Whether nobody knows yet what it was. */
  boolean isOpen() {
    return untilNanos != NEVER;
  }

  /** Whether it has waited for long enough. */
  boolean isOver(long nowNanos) {
    return nowNanos >= untilNanos;
  }

  /** When to look whether it is over. */
  long nextTickNanos() {
    return untilNanos;
  }

  /** Another clock has not leapt, or is about to. */
  void deny(long nowNanos) {
    if (isOpen()) {
      denied = true;
      untilNanos = Math.min(untilNanos, nowNanos + NOTICE_NANOS);
    }
  }

  boolean isDenied() {
    return denied;
  }

  /** Nobody waits any longer; if another clock shows the leap later, it is right all the same. */
  void close() {
    untilNanos = NEVER;
  }

  /** Updates count by a time that is so much later; so the clock is ahead of it by less. */
  void shorten(long byMillis, long smallMillis) {
    millis -= byMillis;
    if (millis <= smallMillis) {
      end();
    }
  }

  /** Updates count by the clock again, or by that of others. */
  void end() {
    millis = 0;
    close();
  }
}
