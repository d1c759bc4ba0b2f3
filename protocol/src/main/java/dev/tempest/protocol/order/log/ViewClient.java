package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Answer;
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

  private final long service;
  private final long client;
  private long sequence;

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
            Stamp.partAt(nowNanos),
            new Call(ASK.number(), ASK.encode(new Object[] {service, wanted})),
            0,
            1,
            sequence);
    among.all().forEach(each -> among.send(each, question, effects));
  }

  /** The view that an answer names; none if it names none, or is for somebody else. */
  GroupView answer(Message.Reply reply) {
    if (reply.id().client() != client || !(reply.answer() instanceof Answer.Returned(var result))) {
      return GroupView.NONE;
    }
    try {
      return (GroupView) Objects.requireNonNullElse(ASK.decodeResult(result), GroupView.NONE);
    } catch (MalformedException nonsense) {
      return GroupView.NONE; // It asks again.
    }
  }
}
