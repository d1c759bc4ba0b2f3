package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage.Action;
import dev.tempest.wire.LogMessage.Asked;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import org.jspecify.annotations.Nullable;

/** An update that was executed here while another one leads, for that one to put into the log. */
record Apart(Action action, Version after) {
  /**
   * Executes one.
   *
   * @return null if it cannot be executed here
   */
  static @Nullable Apart of(
      Update update, Version on, long millis, ServiceInstance service, ByteWriter writer) {
    RequestId id = update.id();
    Call call = update.call();
    Execution made =
        service.execute(
            service.expire(on, millis),
            call.method(),
            call.arguments(),
            millis,
            Mix.hash(id),
            writer);
    Answer answer = Answers.of(made.result());
    if (answer instanceof Answer.Refused) {
      return null;
    }
    Bytes change = writer.toBytes();
    writer.reset();
    made.footprint().write(writer);
    Asked asked = new Asked(id, Stamp.of(update.part()), update.answeredBelow(), answer);
    return new Apart(new Action(writer.toBytes(), change, asked), made.after());
  }
}
