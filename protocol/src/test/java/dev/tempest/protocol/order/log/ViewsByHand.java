package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Views;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;

/** A view service in one copy, which every living replica reaches. */
final class ViewsByHand {
  private final ServiceInstance service = ServiceInstance.of(Views.class, Views.Service::new);
  private Version version = service.emptyVersion();

  /** Whether a message is a question to it. */
  static boolean isAsked(Message message) {
    return message instanceof Message.Update asks && asks.service() == Views.SERVICE;
  }

  Message answer(Message.Update asks, long nowMillis) {
    Execution made =
        service.execute(
            version,
            asks.call().method(),
            asks.call().arguments(),
            nowMillis,
            asks.id().sequence(),
            new ByteWriter(1 << 16));
    version = made.after();
    Result.Returned returned = (Result.Returned) made.result();
    return new Message.Reply(
        asks.service(),
        asks.id(),
        true,
        0,
        OrderPart.NONE,
        0,
        new Answer.Returned(returned.value()));
  }
}
