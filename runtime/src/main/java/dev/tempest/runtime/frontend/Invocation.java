package dev.tempest.runtime.frontend;

import dev.tempest.config.ServiceConfig;
import dev.tempest.config.file.Spelling;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.RequestId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call that was made on a typed client, not sent yet.
 *
 * @param name of the service, for people
 * @param service the hash of the name
 */
public record Invocation<R>(
    long client, String name, long service, ServiceMethod method, Call call, CallOptions options)
    implements Outcomes.Decoder<R> {
  Submission submission() {
    return new Submission(
        client, service, method.isUpdate(), call, options.reads(), options.memory(), id());
  }

  /** The id that a key gives it, as text; empty if none does. */
  public Optional<String> once() {
    return Optional.ofNullable(id()).map(RequestId::toString);
  }

  private @Nullable RequestId id() {
    String key = method.isUpdate() ? options.key() : null;
    return key == null ? null : RequestKey.id(key, service, call);
  }

  @Override
  public String explain(Answer.Refused refused) {
    return explain(refused, name);
  }

  /** What people are told of a refusal of a request to the service of this name. */
  static String explain(Answer.Refused refused, String name) {
    return refused.reason() == Answer.Reason.UNKNOWN_SERVICE
        ? "No server hosts '" + name + "'; " + Spelling.advice(name, hosted(refused.detail()))
        : refused.detail();
  }

  /** As {@link Answer.Reason#UNKNOWN_SERVICE} lists them, without what applications cannot call. */
  private static List<String> hosted(String detail) {
    return Arrays.stream(detail.split(", "))
        .filter(each -> !each.isEmpty() && !ServiceConfig.isReserved(each))
        .toList();
  }

  @Override
  @SuppressWarnings("unchecked") // The method that returns R was called where R was declared.
  public @Nullable R decode(Bytes result) {
    return (R) method.decodeResult(result);
  }
}
