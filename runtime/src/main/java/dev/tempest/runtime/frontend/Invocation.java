package dev.tempest.runtime.frontend;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.service.ServiceMethod;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Call;
import org.jspecify.annotations.Nullable;

/** One call that was made on a typed client, not sent yet. */
public record Invocation<R>(
    long client,
    long service,
    ServiceMethod method,
    Call call,
    Reads reads,
    @Nullable SessionMemory session)
    implements Outcomes.Decoder<R> {
  Submission submission() {
    return new Submission(client, service, method.isUpdate(), call, reads, session);
  }

  @Override
  @SuppressWarnings("unchecked") // The method that returns R was called where R was declared.
  public @Nullable R decode(Bytes result) {
    return (R) method.decodeResult(result);
  }
}
