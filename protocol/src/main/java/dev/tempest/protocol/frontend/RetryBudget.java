package dev.tempest.protocol.frontend;

/**
 * How many requests may be sent again before their time: one for every so many answers, and a few
 * each second. An early retry hides a loss; if all answers are late, because the machine is busy,
 * early retries of all would make it busier, and the answers later still.
 */
final class RetryBudget {
  /** An early retry for so many answers. */
  static final int ANSWERS_PER_RETRY = 10;

  /** So many at once, and as many each second, however few answers there are. */
  static final int SPARE = 10;

  /** What is saved up is counted in shares of a retry. */
  private static final long NANOS_PER_RETRY = 1_000_000_000 / SPARE;

  private static final long MAX_NANOS = SPARE * NANOS_PER_RETRY;

  /** As if time alone had saved it up. */
  private long savedNanos = MAX_NANOS;

  private long savedUntilNanos;

  /** An answer came. */
  void answered() {
    savedNanos = Math.min(MAX_NANOS, savedNanos + NANOS_PER_RETRY / ANSWERS_PER_RETRY);
  }

  /** Spends a retry; false if none is left. */
  boolean spend(long nowNanos) {
    long passedNanos = Math.max(0, Math.min(MAX_NANOS, nowNanos - savedUntilNanos));
    savedUntilNanos = nowNanos;
    savedNanos = Math.min(MAX_NANOS, savedNanos + passedNanos);
    if (savedNanos < NANOS_PER_RETRY) {
      return false;
    }
    savedNanos -= NANOS_PER_RETRY;
    return true;
  }
}
