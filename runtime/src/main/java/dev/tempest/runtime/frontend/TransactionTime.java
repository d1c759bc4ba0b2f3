package dev.tempest.runtime.frontend;

import java.time.Duration;

/** The time that a transaction has, and what is said of one that has used it up. */
final class TransactionTime {
  private final Duration deadline;
  private final long untilNanos;
  private int runs;

  /** All of it is left. */
  TransactionTime(Duration deadline, long nowNanos) {
    this.deadline = deadline;
    this.untilNanos = nowNanos + deadline.toNanos();
  }

  /** The function of the transaction is about to run. */
  void run() {
    runs++;
  }

  Duration left(long nowNanos) {
    return Duration.ofNanos(untilNanos - nowNanos);
  }

  boolean isOver(long nowNanos) {
    return !left(nowNanos).isPositive();
  }

  /** Why nothing was written. */
  String over() {
    return "The transaction did not end in %d ms%s Nothing was written."
        .formatted(
            deadline.toMillis(), runs == 1 ? ": its function took too long." : "." + again());
  }

  /**
   * Why a request of it was not answered.
   *
   * @param detail what is said of any request
   * @param left what it could wait for
   */
  String over(String detail, Duration left) {
    boolean hadMost = left.multipliedBy(2).compareTo(deadline) >= 0;
    return detail
        + (hadMost
            ? ""
            : " That was all that was left of the %d ms of the transaction."
                .formatted(deadline.toMillis()))
        + again();
  }

  /** Where the time has gone. */
  private String again() {
    return runs == 1
        ? ""
        : " It has run %d times: others changed what it had read, a method that it calls is not"
                .formatted(runs)
            + " deterministic, or its function takes too long.";
  }
}
