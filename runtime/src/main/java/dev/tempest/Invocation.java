package dev.tempest;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.service.ServiceMethod;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Call;
import org.jspecify.annotations.Nullable;

/** One call that was made on a client, not sent yet. */
record Invocation<R>(
    long client,
    long service,
    ServiceMethod method,
    Call call,
    Reads reads,
    @Nullable Session session)
    implements Outcomes.Decoder<R> {
  Asked asked() {
    return new Asked(client, service, method.isUpdate(), call, reads, session);
  }

  @Override
  @SuppressWarnings("unchecked") // The method that returns R was called where R was declared.
  public @Nullable R decode(Bytes result) {
    return (R) method.decodeResult(result);
  }
}
