package dev.tempest.runtime.frontend;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.wire.Call;
import dev.tempest.wire.Seen;
import org.jspecify.annotations.Nullable;

/**
 * A request as it is put to the machine of requests.
 *
 * @param client who asks
 * @param service the stable hash of its name
 * @param update whether it is an update or a read
 * @param reads whom to ask, if it is a read
 * @param session the session that it belongs to; null if to none
 */
record Submission(
    long client,
    long service,
    boolean update,
    Call call,
    Reads reads,
    @Nullable SessionMemory session) {
  /** What its session has seen; null if it belongs to none. */
  @Nullable Seen seen() {
    return session == null ? null : session.seen(service);
  }

  /** Its session has seen that, too. */
  void saw(Seen sent, Seen seen) {
    if (session != null) {
      session.saw(service, sent, seen, !update);
    }
  }
}
