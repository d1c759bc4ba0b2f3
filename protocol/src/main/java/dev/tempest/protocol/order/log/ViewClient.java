package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.protocol.order.Views;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.Objects;

/**
 * How a replica asks the {@linkplain Views view service}: each question is an update of its own,
 * which nobody repeats, since to ask for the same view twice is to ask once.
 *
 * <p>Not thread-safe.
 */
final class ViewClient {
  private static final ServiceMethod ASK = ServiceInterface.of(Views.class).methods().getFirst();
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long service;
  private final long client;
  private long sequence;

  /** By how much the time of the view service is ahead of the clock here. */
  private long aheadNanos;

  /**
   * Of a replica that has asked nothing.
   *
   * @param service which has the view
   * @param client 64 random bits of this life
   */
  ViewClient(long service, long client) {
    this.service = service;
    this.client = client;
  }

  /** Asks whoever hosts the view service among these. */
  void ask(GroupView wanted, View among, long nowNanos, List<Effect> effects) {
    sequence++;
    Message question =
        new Message.Update(
            Views.SERVICE,
            new RequestId(client, sequence),
            Stamp.partAt(nowNanos + aheadNanos),
            new Call(ASK.number(), ASK.encode(new Object[] {service, wanted})),
            0,
            1,
            sequence);
    among.all().forEach(each -> among.send(each, question, effects));
  }

  /** Whether an answer is to it, and not to a front-end. */
  boolean hasAsked(Message.Reply reply) {
    return reply.id().client() == client;
  }

  /** What an answer says. */
  Event.Viewed answer(Message.Reply reply, long nowNanos) {
    return new Event.Viewed(nowNanos, view(reply, nowNanos));
  }

  private GroupView view(Message.Reply reply, long nowNanos) {
    switch (reply.answer()) {
      case Answer.Returned(var result) -> {
        follow(reply, nowNanos);
        try {
          return (GroupView) Objects.requireNonNullElse(ASK.decodeResult(result), GroupView.NONE);
        } catch (MalformedException nonsense) {
          return GroupView.NONE; // It asks again.
        }
      }
      case Answer.Refused(var reason, var detail) -> {
        if (reason == Reason.STAMP_EXPIRED || reason == Reason.STAMP_AHEAD) {
          follow(reply, nowNanos);
        }
        return GroupView.NONE;
      }
      case Answer.Threw bug -> {
        return GroupView.NONE;
      }
    }
  }

  /** Its clock may be off by days, and is of no use to the view service then. */
  private void follow(Message.Reply reply, long nowNanos) {
    long stamp = Stamp.of(reply.part());
    if (stamp != Stamp.NONE) {
      aheadNanos = Stamp.millis(stamp) * NANOS_PER_MILLI - nowNanos;
    }
  }
}
