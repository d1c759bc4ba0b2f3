package dev.tempest.protocol.order.log;

/**
 * Updates that a server has refused since it was overloaded: their clients want to know once nobody
 * will execute them any more. It remembers one of them at a time; clients of others that are
 * refused meanwhile ask again.
 *
 * <p>Not thread-safe.
 */
final class RefusedUpdates {
  private static final long NONE = -1;

  private final int behindMaxMillis;

  /** When that one was asked for. */
  private long askedMillis = NONE;

  /**
   * None yet.
   *
   * @param behindMaxMillis so far behind the log an update may be that is executed
   */
  RefusedUpdates(int behindMaxMillis) {
    this.behindMaxMillis = behindMaxMillis;
  }

  /**
   * Adds one.
   *
   * @param logMillis the time of the log
   */
  void add(long stampMillis, long nowMillis, long logMillis) {
    if (askedMillis == NONE || logMillis > tooLateMillis()) {
      askedMillis = Math.min(stampMillis, nowMillis);
    }
  }

  /** Whether one becomes too late if the log comes to a time. */
  boolean areTooLateBy(long millis, long logMillis) {
    long from = tooLateMillis();
    return askedMillis != NONE && logMillis <= from && from < millis;
  }

  private long tooLateMillis() {
    return askedMillis + behindMaxMillis;
  }
}
