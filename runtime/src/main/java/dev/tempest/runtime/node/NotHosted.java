package dev.tempest.runtime.node;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import org.jspecify.annotations.Nullable;

/** What a front-end hears that asks for a service which this process does not host. */
final class NotHosted {
  private NotHosted() {}

  /**
   * The answer; null for what is no request.
   *
   * @param hosted the names of the services that it does host
   */
  static Message.@Nullable Reply answer(Message.RequestMessage message, long self, String hosted) {
    return switch (message) {
      case Message.Update update -> reply(update.service(), update.id(), true, self, hosted);
      case Message.Read read -> reply(read.service(), read.id(), false, self, hosted);
      case Message.SeenRead read -> reply(read.service(), read.read().id(), false, self, hosted);
      default -> null;
    };
  }

  private static Message.Reply reply(
      long service, RequestId id, boolean update, long self, String hosted) {
    Answer refusal = new Answer.Refused(Reason.UNKNOWN_SERVICE, hosted);
    return new Message.Reply(service, id, update, self, OrderPart.NONE, 0, refusal);
  }
}
