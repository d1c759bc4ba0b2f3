package dev.tempest.simulator;

import dev.tempest.protocol.order.Views;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Answer;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import java.util.Objects;

/** The {@link Views} of a world: one copy, which never fails; who asks may not reach it. */
final class ViewService {
  private static final ServiceMethod ASK = ServiceInterface.of(Views.class).methods().getFirst();

  private final ServiceInstance service = ServiceInstance.of(Views.class, Views.Service::new);
  private Version version = service.emptyVersion();
  private GroupView latest = GroupView.NONE;

  /** The latest that it has said. */
  GroupView latest() {
    return latest;
  }

  /** Executes a question. */
  Message answer(Message.Update question, long nowMillis) {
    Execution made =
        service.execute(
            version,
            question.call().method(),
            question.call().arguments(),
            nowMillis,
            question.id().sequence(),
            new ByteWriter(1 << 16));
    version = made.after();
    if (!(made.result() instanceof Result.Returned(var result))) {
      throw new Violation.Found(
          new Violation(Violation.Kind.THREW, "the view service gave " + made.result()));
    }
    latest = (GroupView) Objects.requireNonNull(ASK.decodeResult(result), "a view");
    return new Message.Reply(
        question.service(), question.id(), true, 0, OrderPart.NONE, 0, new Answer.Returned(result));
  }
}
