package dev.tempest.runtime.node;

import dev.tempest.runtime.transport.MonotonicClock;

/**
 * The time by which updates count, as the threads of a node see it. Any thread may read it; whoever
 * holds the lock of the replica changes it.
 */
final class PublishedTime {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A loop is later than it wants to be; a clock that leaps further waits for what others say. */
  private static final long LATE_MILLIS = 1_000;

  private final MonotonicClock clock;
  private volatile long correctionMillis;

  /** Later than that it is not before the replica has said so. */
  private volatile long latestMillis = Long.MAX_VALUE;

  private volatile boolean closed;

  PublishedTime(MonotonicClock clock) {
    this.clock = clock;
  }

  /** In milliseconds since 1970. */
  long nowMillis() {
    long millis = ownMillis(clock.nowNanos()) + correctionMillis;
    return closed ? millis : Math.min(millis, latestMillis);
  }

  /** The replica has taken an event, says what time it is, and when it will say so again. */
  void stepped(long eventNanos, long replicaMillis, long dueNanos) {
    long restMillis = ownMillis(Math.max(0, dueNanos - eventNanos));
    correctionMillis = replicaMillis - ownMillis(eventNanos);
    latestMillis = replicaMillis + restMillis + LATE_MILLIS;
  }

  /** There is no replica any more that could say anything. */
  void close() {
    closed = true;
  }

  private static long ownMillis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
