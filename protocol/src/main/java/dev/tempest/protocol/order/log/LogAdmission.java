package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Message.Update;
import org.jspecify.annotations.Nullable;

/** Which updates a replica may execute. */
final class LogAdmission {
  private static final Answer JOINING =
      new Answer.Refused(Reason.JOINING, "this replica has no state yet, or is no member any more");
  private static final Answer FULL =
      new Answer.Refused(
          Reason.OVERLOADED, "too much waits until a majority of the servers has it");

  /** It was not executed, and nobody will execute it as it is. */
  static final Answer TOO_LATE =
      new Answer.Refused(Reason.STAMP_EXPIRED, "it comes too long after it was asked for");

  /** Nobody can tell. */
  static final Answer FORGOTTEN =
      new Answer.Refused(
          Reason.STAMP_EXPIRED, "it is so old that it may have been executed and forgotten");

  private static final Answer TOO_EARLY =
      new Answer.Refused(
          Reason.STAMP_AHEAD, "by the clock of this server it is not yet asked for, by far");
  private static final Answer NO_ROOM =
      new Answer.Refused(Reason.OVERLOADED, "there are too many clients to remember");

  private final Executor executor;

  /** Clocks of clients may be so far off: of two updates none makes the other one too late then. */
  private final long nearMillis;

  LogAdmission(Executor executor, LogSettings.Limits limits) {
    this.executor = executor;
    this.nearMillis = limits.stampBehindMaxMillis() / 2;
  }

  /** Why this replica answers nobody; null if it does. */
  @Nullable Answer unfit(boolean active) {
    Deviation deviation = executor.deviation();
    if (active && deviation != null) {
      return new Answer.Refused(Reason.SUSPENDED, deviation.why());
    }
    return active ? null : JOINING;
  }

  /**
   * Why it may not be executed; null if it may.
   *
   * @param hindrance of this process; null if there is none
   */
  @Nullable Answer refusal(Update update, @Nullable String hindrance, long nowMillis) {
    long stamp = Stamp.of(update.part());
    if (mayBeForgotten(update)) {
      return FORGOTTEN;
    }
    if (executor.isTooLateFor(stamp)) {
      return TOO_LATE;
    }
    if (executor.isTooEarlyFor(stamp, nowMillis)) {
      return TOO_EARLY;
    }
    Answer overloaded = overloaded(update.id().client(), hindrance);
    if (overloaded != null) {
      executor.refuses(stamp, nowMillis);
    }
    return overloaded;
  }

  private @Nullable Answer overloaded(long client, @Nullable String hindrance) {
    if (hindrance != null) {
      return new Answer.Refused(Reason.OVERLOADED, hindrance);
    }
    if (executor.isFull()) {
      return FULL;
    }
    return executor.hasRoomFor(client) ? null : NO_ROOM;
  }

  /**
   * Whether it may be voted for: the time at which it counts is that of its client, so this is to
   * be near that of this server.
   */
  boolean mayVote(Update update, long nowMillis) {
    long stamp = Stamp.of(update.part());
    return stamp != Stamp.NONE
        && Math.abs(Stamp.millis(stamp) - nowMillis) <= nearMillis
        && !mayBeForgotten(update)
        && !executor.isTooLateFor(stamp)
        && overloaded(update.id().client(), null) == null;
  }

  /** Whether it may have been executed so long ago that this is not known any more. */
  boolean mayBeForgotten(Update update) {
    return executor.mayHaveForgotten(update.id(), Stamp.of(update.part()));
  }
}
