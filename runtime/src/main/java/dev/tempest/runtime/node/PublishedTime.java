package dev.tempest.runtime.node;

import dev.tempest.runtime.transport.MonotonicClock;

/**
 * The time by which updates count, as the threads of a node see it. Any thread may read it; whoever
 * holds the lock of the replica changes it.
 */
final class PublishedTime {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Where the clock of this process leaps further, others are asked before it counts. */
  private static final long LEAP_MILLIS = 5_000;

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

  /** The replica has taken an event, and says what time it is. */
  void stepped(long eventNanos, long replicaMillis) {
    correctionMillis = replicaMillis - ownMillis(eventNanos);
    latestMillis = replicaMillis + LEAP_MILLIS;
  }

  /** There is no replica any more that could say anything. */
  void close() {
    closed = true;
  }

  private static long ownMillis(long nanos) {
    return nanos / NANOS_PER_MILLI;
  }
}
