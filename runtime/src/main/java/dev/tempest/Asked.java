package dev.tempest;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.wire.Call;
import dev.tempest.wire.Seen;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a service.
 *
 * @param client who asks
 * @param service the stable hash of its name
 * @param update whether it is an update or a read
 * @param reads whom to ask, if it is a read
 * @param session the session that it belongs to; null if to none
 */
record Asked(
    long client, long service, boolean update, Call call, Reads reads, @Nullable Session session) {
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
