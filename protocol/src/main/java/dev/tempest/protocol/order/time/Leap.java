package dev.tempest.protocol.order.time;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A leap of the clock of this process, from one event to the next: either time has passed while it
 * stood still, or somebody has set its clock. The others know: until one of them has said what its
 * clock shows, nobody here knows what time it is.
 */
final class Leap {
  private static final long NEVER = Long.MAX_VALUE;

  /** Longer than most rounds of gossip in which nobody speaks to this one. */
  private static final long AWAIT_NANOS = 5_000 * ReplicaClock.NANOS_PER_MILLI;

  /**
   * What was on its way when all stood still together, or is said by one that has not noticed yet,
   * proves nothing. Whoever does not know the time is silent, so who speaks again later does.
   */
  private static final long NOTICE_NANOS = 1_000 * ReplicaClock.NANOS_PER_MILLI;

  /** How far the clock leapt in all, and updates do not count by it; 0 if it did not. */
  private long millis;

  /** How far since it was last known what time it is. */
  private long latestMillis;

  /** By how much others were ahead when it was last known what time it is. */
  private final Map<Long, Long> leadsBefore = new LinkedHashMap<>();

  /** Until when to wait for what others say. */
  private long untilNanos = NEVER;

  /** Since when another clock is known that has not leapt. */
  private long doubtedNanos = NEVER;

  private boolean denied;

  /**
   * The clock leapt by so much, maybe again.
   *
   * @param leads by how much others were ahead when they said so the last time
   */
  void begin(long leaptMillis, Map<Long, Long> leads, long nowNanos) {
    if (!isOpen()) {
      latestMillis = 0;
      leadsBefore.clear();
      leadsBefore.putAll(leads);
    }
    millis += leaptMillis;
    latestMillis += leaptMillis;
    untilNanos = nowNanos + AWAIT_NANOS;
    doubtedNanos = NEVER;
    denied = false;
  }

  /** How far the clock leapt in all, and updates do not count by it; 0 if it did not. */
  long millis() {
    return millis;
  }

  /** How far since it was last known what time it is. */
  long latestMillis() {
    return latestMillis;
  }

  /** By how much others were ahead before it. */
  Map<Long, Long> leadsBefore() {
    return leadsBefore;
  }

  /** Whether it is known how far another one was ahead before it. */
  boolean knows(long other) {
    return leadsBefore.containsKey(other);
  }

  /**
   * By how much more another one is ahead than it was before. One that was further behind than
   * clocks may be has caught up with this one since, maybe, which shows nothing: if this one then
   * went ahead again, the two would chase each other for ever.
   */
  long grownMillis(long other, long leadMillis, long aheadMaxMillis) {
    return leadMillis - Math.max(-aheadMaxMillis, leadsBefore.getOrDefault(other, 0L));
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

  /** Another clock has not leapt. */
  void deny(long nowNanos) {
    if (!isOpen()) {
      return;
    }
    if (doubtedNanos == NEVER) {
      doubtedNanos = nowNanos;
      untilNanos = nowNanos + AWAIT_NANOS;
    } else if (nowNanos - doubtedNanos >= NOTICE_NANOS) {
      denied = true;
      untilNanos = nowNanos;
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
    latestMillis -= byMillis;
    if (millis <= smallMillis) {
      millis = 0;
    }
    if (latestMillis <= smallMillis) {
      close();
    }
  }

  /** Updates count by the clock again, or by that of others. */
  void end() {
    millis = 0;
    close();
  }
}
