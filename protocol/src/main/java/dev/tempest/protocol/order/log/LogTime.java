package dev.tempest.protocol.order.log;

/**
 * The time that a leader gives the log: what its clock shows. Where the log is ahead of that, since
 * an earlier leader's clock was, it goes on half as fast as the clock until that has caught up: it
 * never goes back, and does not stand still, or nothing would expire, and a full table of clients
 * would have no room, for as long as that clock was ahead.
 *
 * <p>Not thread-safe.
 */
final class LogTime {
  /** So much time does not pass between two looks of who leads: its clock was set ahead. */
  private static final long LEAP_MILLIS = 1_000;

  // From here on the log goes on half as fast as the clock.

  private long clockMillis;
  private long logMillis;

  /** What the clock showed at the latest look. */
  private long seenMillis;

  /**
   * The time of what comes next.
   *
   * @param nowMillis what the clock shows; it never goes back
   * @param latestMillis the time of what came last
   */
  long next(long nowMillis, long latestMillis) {
    boolean leapt = nowMillis - seenMillis > LEAP_MILLIS;
    seenMillis = nowMillis;
    long slowed = logMillis + (nowMillis - clockMillis) / 2;
    if (leapt || nowMillis >= latestMillis || slowed < latestMillis) {
      clockMillis = nowMillis;
      logMillis = Math.max(nowMillis, latestMillis);
      return logMillis;
    }
    return slowed;
  }
}
