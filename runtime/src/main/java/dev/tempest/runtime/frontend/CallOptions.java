package dev.tempest.runtime.frontend;

import dev.tempest.protocol.frontend.Reads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a typed client makes its calls.
 *
 * @param reads how many replicas a read asks
 * @param deadline when a call that nobody answers ends as unknown
 * @param memory what the calls' causal chain has seen; null if they belong to none
 * @param key under which an update is executed once, whoever asks for it; null for none
 */
record CallOptions(
    Reads reads, Duration deadline, @Nullable CausalMemory memory, @Nullable String key) {
  CallOptions reading(Reads others) {
    return new CallOptions(others, deadline, memory, key);
  }

  CallOptions within(Duration other) {
    return new CallOptions(reads, other, memory, key);
  }

  CallOptions once(String other) {
    return new CallOptions(reads, deadline, memory, other);
  }
}
