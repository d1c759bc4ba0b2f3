package dev.tempest.runtime.node;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a front-end hears that asks for a service which this process does not host, or no more. */
final class NotHosted {
  private NotHosted() {}

  /**
   * The answer; null for what is no request, and where a replica that has stopped since may have
   * executed an earlier attempt.
   *
   * @param replicas all that are hosted, by service
   */
  static Message.@Nullable Reply answer(
      Message.RequestMessage message, long self, Map<Long, Hosted> replicas) {
    Hosted asked = replicas.get(message.service());
    String why = asked == null ? null : asked.whyStopped();
    if (why != null && message instanceof Message.Update update && update.attempt() > 0) {
      return null;
    }
    Answer refusal =
        why == null
            ? new Answer.Refused(Reason.UNKNOWN_SERVICE, services(replicas))
            : new Answer.Refused(Reason.STOPPED, why);
    return switch (message) {
      case Message.Update update -> reply(update.service(), update.id(), true, self, refusal);
      case Message.Read read -> reply(read.service(), read.id(), false, self, refusal);
      case Message.SeenRead read -> reply(read.service(), read.read().id(), false, self, refusal);
      default -> null;
    };
  }

  private static String services(Map<Long, Hosted> replicas) {
    return replicas.values().stream()
        .filter(Hosted::isService)
        .map(Hosted::name)
        .collect(Collectors.joining(", "));
  }

  private static Message.Reply reply(
      long service, RequestId id, boolean update, long self, Answer refusal) {
    return new Message.Reply(service, id, update, self, OrderPart.NONE, 0, refusal);
  }
}
