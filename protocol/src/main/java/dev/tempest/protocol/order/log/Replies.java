package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;

/** What a replica says to front-ends beside an answer. Not thread-safe. */
final class Replies {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Placement placement;
  private final Executor executor;
  private int load;

  Replies(Placement placement, Executor executor) {
    this.placement = placement;
    this.executor = executor;
  }

  void loaded(int requests) {
    load = requests;
  }

  int load() {
    return load;
  }

  /** To an update, or a read. */
  Reply of(RequestId id, boolean update, Answer answer, long nowNanos) {
    return reply(id, update, part(answer, nowNanos), answer);
  }

  /** To an update for which this replica has voted. */
  Reply voted(RequestId id, Answer answer, LogMessage.Vote vote, int needed, long nowNanos) {
    long stamp = Stamp.atNanos(clockNanos(nowNanos));
    return reply(id, true, new OrderPart.Voted(stamp, vote.end(), vote.hash(), needed), answer);
  }

  /** What another replica replies, in the name of this one. */
  Reply own(Reply other) {
    return reply(other.id(), other.update(), other.part(), other.answer());
  }

  /**
   * Whether it refuses an update in a way that holds for all replicas, or for which a front-end
   * finds out once it does. Of what one of them cannot do another one may be capable.
   */
  boolean isRefusedByAll(Reply other) {
    if (other.service() != placement.service() || !other.update()) {
      return false; // Front-ends count their requests for each service.
    }
    return other.answer() instanceof Answer.Refused(var reason, var detail)
        && switch (reason) {
          case OVERLOADED, STAMP_EXPIRED, STAMP_AHEAD -> true;
          default -> false;
        };
  }

  private Reply reply(RequestId id, boolean update, OrderPart part, Answer answer) {
    return new Reply(placement.service(), id, update, placement.self(), part, load, answer);
  }

  /** With the time of the log, front-ends conclude that nobody will execute what is too late. */
  private OrderPart part(Answer answer, long nowNanos) {
    LogPoint point = executor.state().point();
    if (answer.equals(LogAdmission.TOO_LATE)) {
      return new OrderPart.Logged(Stamp.atNanos(point.millis() * NANOS_PER_MILLI), point.slot());
    }
    return answer.equals(LogAdmission.FORGOTTEN)
        ? Stamp.partAt(clockNanos(nowNanos))
        : new OrderPart.Logged(Stamp.atNanos(clockNanos(nowNanos)), point.slot());
  }

  /** Never earlier than what the log says: no read may see a state before its time. */
  long clockNanos(long nowNanos) {
    return Math.max(nowNanos, executor.state().point().millis() * NANOS_PER_MILLI);
  }
}
