package dev.tempest.runtime.frontend;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.wire.Call;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is put to the machine of requests.
 *
 * @param client who asks
 * @param service the stable hash of its name
 * @param update whether it is an update or a read
 * @param reads whom to ask, if it is a read
 * @param memory of the causal chain that it belongs to; null if to none
 * @param once its name for life, if a key gives it one; null if its client numbers it
 */
record Submission(
    long client,
    long service,
    boolean update,
    Call call,
    Reads reads,
    @Nullable CausalMemory memory,
    @Nullable RequestId once) {
  /** One that its client numbers. */
  Submission(
      long client,
      long service,
      boolean update,
      Call call,
      Reads reads,
      @Nullable CausalMemory memory) {
    this(client, service, update, call, reads, memory, null);
  }

  /** What its chain has seen; null if it belongs to none. */
  @Nullable Seen seen() {
    return memory == null ? null : memory.seen(service);
  }

  /** Its chain has seen that, too. */
  void saw(Seen sent, Seen seen) {
    if (memory != null) {
      memory.saw(service, sent, seen, !update);
    }
  }
}
