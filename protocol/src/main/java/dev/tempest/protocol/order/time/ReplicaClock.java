package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.time.ReplicaSettings.Timing;

/** The time of a replica: its clock, its epochs, and the stamps that it gives. */
final class ReplicaClock {
  /** A request that took longer is taken for lost, unless others take longer too. */
  private static final int ON_THE_WAY_MILLIS = 50;

  static final long NANOS_PER_MILLI = 1_000_000;

  /** A busy process is later than it wants to be, too. */
  private static final long STOOD_STILL_NANOS = 10 * NANOS_PER_MILLI;

  private final Timing timing;
  private final Window window;
  private final Stability stability;
  private long nowNanos;
  private long lagNanos;
  private long lastStamp;

  ReplicaClock(Timing timing, Window window, Stability stability, long nowNanos) {
    this.timing = timing;
    this.window = window;
    this.stability = stability;
    this.nowNanos = nowNanos;
  }

  /** It is as late as that, or later. */
  void advance(long toNanos) {
    nowNanos = Math.max(nowNanos, toNanos);
  }

  long nowNanos() {
    return nowNanos;
  }

  long nowMillis() {
    return nowNanos / NANOS_PER_MILLI;
  }

  long currentEpoch() {
    return nowMillis() / timing.epochs().lengthMillis();
  }

  /** The last closed epoch; where there are no others, all but the current one are closed. */
  long closedThrough() {
    int open = stability.isAlone() ? 1 : timing.epochs().closeAfter();
    return Math.max(currentEpoch() - open, window.settled().throughEpoch());
  }

  /**
   * The time as a stamp that this replica takes: others may have closed epochs that its own clock
   * has not reached.
   */
  long stamp() {
    long firstOpenMillis = (closedThrough() + 1) * timing.epochs().lengthMillis();
    return Stamp.atNanos(Math.max(nowNanos, firstOpenMillis * NANOS_PER_MILLI));
  }

  /** The hybrid time: that of the clock, and not before anything that was executed here. */
  long hybridStamp() {
    return Math.max(stamp(), window.newestStamp());
  }

  /** A stamp above all others that were seen here or given. */
  long newStamp() {
    return newStampAbove(0);
  }

  /** The same, also above one that a client gave. */
  long newStampAbove(long other) {
    long highest = Math.max(other, Math.max(window.newestStamp(), lastStamp));
    lastStamp = Math.max(stamp(), highest + 1);
    return lastStamp;
  }

  /** The lowest stamp that is not settled. */
  long firstUnsettledStamp() {
    long millis = (window.settled().throughEpoch() + 1) * timing.epochs().lengthMillis();
    return Stamp.atNanos(millis * NANOS_PER_MILLI);
  }

  /** A request with this stamp has arrived for the first time. */
  void arrived(long stamp) {
    lagNanos = Math.max(lagNanos, nowNanos - Stamp.millis(stamp) * NANOS_PER_MILLI);
  }

  /** A round is due then: if that is long ago, this process stood still, and requests wait. */
  void awaited(long roundNanos) {
    long lateNanos = nowNanos - roundNanos;
    if (lateNanos > STOOD_STILL_NANOS) {
      long intervalNanos = timing.gossipIntervalMillis() * NANOS_PER_MILLI;
      lagNanos = Math.max(lagNanos, lateNanos + intervalNanos);
    }
  }

  /** What was late once is forgotten in a few rounds. */
  void forgetLag() {
    lagNanos /= 2;
  }

  /**
   * The last epoch whose requests have arrived here unless they are lost. What may still be on its
   * way, or wait in this replica's own queue, is not compared: to repair it would be work for
   * nothing, and most of it where there is least time.
   */
  long quietThrough() {
    long closingMillis = (long) timing.epochs().closeAfter() * timing.epochs().lengthMillis();
    long lagMillis = Math.min(lagNanos / NANOS_PER_MILLI, closingMillis / 2);
    return (nowMillis() - ON_THE_WAY_MILLIS - lagMillis) / timing.epochs().lengthMillis() - 1;
  }
}
