package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.time.ReplicaSettings.Limits;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import org.jspecify.annotations.Nullable;

/** Decides which requests of front-ends a replica executes, by their stamps and its room. */
final class Admission {
  private static final Answer TOO_MANY_CLIENTS =
      new Answer.Refused(
          Reason.OVERLOADED,
          "there were so many new clients in the last minutes that this replica has no room to"
              + " remember one more, nor more of one of which many updates were refused; keep one"
              + " front-end for many calls");

  private final Limits limits;
  private final Window window;
  private final ReplicaClock clock;

  /** The last epoch that was over when this replica was not there yet. */
  private long overThrough = -1;

  Admission(Limits limits, Window window, ReplicaClock clock) {
    this.limits = limits;
    this.window = window;
    this.clock = clock;
  }

  /**
   * The replica is there from now on. A request of before has ended maybe: the process that was
   * there could not execute it, and said so.
   */
  void begin() {
    overThrough = clock.currentEpoch() - 1;
  }

  /**
   * Why a new request is not executed here; null if it is.
   *
   * @param hindrance of this process; null if there is none
   */
  @Nullable Answer refusalOf(Entry entry, @Nullable String hindrance) {
    long epoch = window.epochOf(entry);
    long closedThrough = Math.max(clock.closedThrough(), overThrough);
    if (epoch <= closedThrough) {
      return new Answer.Refused(
          Reason.STAMP_EXPIRED, "epoch " + epoch + " is closed through " + closedThrough);
    }
    if (Stamp.millis(entry.stamp()) > clock.nowMillis() + limits.stampAheadMaxMillis()) {
      return new Answer.Refused(
          Reason.STAMP_AHEAD, "more than " + limits.stampAheadMaxMillis() + " ms ahead");
    }
    if (hindrance != null) {
      return new Answer.Refused(Reason.OVERLOADED, hindrance);
    }
    if (!window.clients().hasRoomFor(entry.id().client(), limits.memory().bounds())) {
      return TOO_MANY_CLIENTS;
    }
    if (isFull()) {
      return new Answer.Refused(
          Reason.OVERLOADED,
          window.size()
              + " entries, about "
              + window.sizeBytes()
              + " bytes, wait for all replicas to have them");
    }
    return null;
  }

  /** Whether so much waits for all replicas to have it that nothing more should come. */
  boolean isFull() {
    return window.sizeBytes() >= limits.unsettledMaxBytes();
  }
}
