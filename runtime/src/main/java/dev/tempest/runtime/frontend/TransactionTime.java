package dev.tempest.runtime.frontend;

import dev.tempest.service.execution.Transaction;
import java.time.Duration;
import java.util.Locale;

/** The time that a transaction has, and what is said of one that has used it up. */
final class TransactionTime {
  private final Duration deadline;
  private final long untilNanos;
  private int runs;
  private boolean hasBegun;
  private long answeredNanos;

  /** What the function itself has taken in this run since its first call was answered. */
  private long ownNanos;

  /** Whether servers refuse that run for that alone, and so any other one. */
  private boolean isTooSlow;

  /** All of it is left. */
  TransactionTime(Duration deadline, long nowNanos) {
    this.deadline = deadline;
    this.untilNanos = nowNanos + deadline.toNanos();
  }

  /** The function of the transaction is about to run. */
  void run() {
    runs++;
    hasBegun = false;
    ownNanos = 0;
  }

  /**
   * The function makes a call, or has returned.
   *
   * @param toCount whether that asks for all of it to count
   */
  void asks(long nowNanos, boolean toCount) {
    ownNanos += hasBegun ? nowNanos - answeredNanos : 0;
    isTooSlow = toCount && ownNanos > Transaction.OFF_MAX.toNanos();
  }

  /** The call has ended. */
  void answered(long nowNanos) {
    hasBegun = true;
    answeredNanos = nowNanos;
  }

  /** Whether it may begin again after a run that did not count. */
  boolean allowsAnother(long nowNanos) {
    return !isOver(nowNanos) && !isTooSlow;
  }

  Duration left(long nowNanos) {
    return Duration.ofNanos(untilNanos - nowNanos);
  }

  boolean isOver(long nowNanos) {
    return !left(nowNanos).isPositive();
  }

  /** Why nothing was written. */
  String over() {
    if (isTooSlow) {
      return String.format(
          Locale.ROOT,
          "The transaction did not count: its function took %.1f s; a transaction has %d s from its"
              + " first call. Nothing was written.",
          ownNanos / 1e9,
          Transaction.OFF_MAX.toSeconds());
    }
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
