package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Stamp;

/**
 * The hybrid logical clock that stamps updates: never below what was seen or answered before, and
 * by the replicas' clocks where they refuse its own.
 */
final class StampClock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private long lastStamp;

  /** What was answered or seen: nothing that is asked for from now on counts before it. */
  private long seenStamp;

  private long aheadMillis;

  /** The stamp of an update that is made now. */
  long next(long nowNanos) {
    lastStamp = Math.max(own(nowNanos), latest() + 1);
    return lastStamp;
  }

  /** The highest stamp that was given, or seen within reason. */
  long latest() {
    return Math.max(lastStamp, seenStamp);
  }

  /**
   * What is asked for from now on counts after all that a replica had executed; within reason,
   * which is what any clock says: that of a replica which refused a stamp may be behind.
   */
  void follow(long replicaStamp, long nowNanos) {
    raise(replicaStamp, Math.max(timeStamp(nowNanos), latest()));
  }

  /** The same of what a client has seen, which may be forged, and again and again. */
  void followClient(long stamp, long nowNanos) {
    raise(stamp, timeStamp(nowNanos));
  }

  private void raise(long stamp, long knownStamp) {
    if (Stamp.millis(stamp) <= Stamp.millis(knownStamp) + Stamp.AHEAD_MAX_MILLIS) {
      answered(stamp);
    }
  }

  private long timeStamp(long nowNanos) {
    return Math.max(own(nowNanos), Stamp.atNanos(nowNanos));
  }

  /** A replica has taken an update with this stamp, or one below. */
  void answered(long stamp) {
    seenStamp = Math.max(seenStamp, stamp);
  }

  /**
   * A replica refused a stamp and said what its own clock shows. Stamps that were given, and have
   * not been answered, may be given again: they are too far ahead.
   */
  void correct(long replicaStamp, long nowNanos) {
    aheadMillis = Stamp.millis(replicaStamp) - Stamp.millis(Stamp.atNanos(nowNanos));
    lastStamp = Math.min(lastStamp, replicaStamp);
  }

  /** The same of a stamp that came too late for a log, whose time may have stood still since. */
  void catchUp(long stampOfLog, long nowNanos) {
    if (stampOfLog > own(nowNanos)) {
      correct(stampOfLog, nowNanos);
    }
  }

  private long own(long nowNanos) {
    return Stamp.atNanos(nowNanos + aheadMillis * NANOS_PER_MILLI);
  }
}
