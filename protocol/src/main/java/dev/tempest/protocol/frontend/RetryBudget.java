package dev.tempest.protocol.frontend;

/**
 * How many requests may be sent again before their time: one for every so many answers of the last
 * seconds, and a few besides. An early retry hides a loss, and a replica that stands still with
 * what all clients wait for; if all answers are late, because the machine is busy, early retries of
 * all would make it busier, and the answers later still.
 */
final class RetryBudget {
  /** An early retry for so many answers. */
  static final int ANSWERS_PER_RETRY = 10;

  /** So many however few answers there are. */
  static final int SPARE = 10;

  /** What counts is this period and the one before. */
  static final long PERIOD_NANOS = 1_000_000_000;

  private long period = Long.MIN_VALUE;
  private int answersBefore;
  private int answers;
  private int spentBefore;
  private int spent;

  /** An answer came. */
  void answered(long nowNanos) {
    moveTo(nowNanos);
    answers++;
  }

  /** Spends a retry; false if none is left. */
  boolean spend(long nowNanos) {
    moveTo(nowNanos);
    if (spentBefore + spent >= SPARE + (answersBefore + answers) / ANSWERS_PER_RETRY) {
      return false;
    }
    spent++;
    return true;
  }

  private void moveTo(long nowNanos) {
    long next = Math.floorDiv(nowNanos, PERIOD_NANOS);
    if (next != period) {
      boolean follows = next == period + 1;
      answersBefore = follows ? answers : 0;
      spentBefore = follows ? spent : 0;
      answers = 0;
      spent = 0;
      period = next;
    }
  }
}
