package dev.tempest;

import dev.tempest.wire.Seen;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * Requests that belong together, such as those of one user: whatever one of them has seen, the
 * later ones see as well.
 *
 * <p>Guarantees, at whichever replica, that a read sees every update of the session that had
 * returned when it began, and all that earlier reads of the session saw. A replica that lacks some
 * of that is not asked to guess: it waits a moment, then another one is asked, and a read that
 * finds none before its deadline ends as unable, {@link dev.tempest.wire.Answer.Reason#BEHIND}. An
 * update does not wait; it counts after all that the session has seen.
 *
 * <p>Thread-safe; requests made at the same time are in no order.
 */
public final class Session {
  private final FrontEnd frontEnd;
  private final AtomicReference<Handle> handle;

  Session(FrontEnd frontEnd, Handle handle) {
    this.frontEnd = frontEnd;
    this.handle = new AtomicReference<>(handle);
  }

  /** As {@link FrontEnd#service(Class)}, for requests of this session. */
  public <S> S service(Class<S> api) {
    return service(api.getSimpleName(), api);
  }

  /** As {@link FrontEnd#service(String, Class)}, for requests of this session. */
  public <S> S service(String name, Class<S> api) {
    return frontEnd.service(name, api, this);
  }

  /** What it has seen so far. */
  public Handle handle() {
    return handle.get();
  }

  /** From now on it has seen that as well: another session's handle, say. */
  public void saw(Handle other) {
    handle.updateAndGet(known -> known.max(other));
  }

  /** What it has seen of one service. */
  Seen seen(long service) {
    return handle.get().seen(service);
  }

  /**
   * A request ended.
   *
   * @param sent what it had seen when that was sent
   * @param got what it has seen now; if by a read, all of {@code sent} included
   */
  void saw(long service, Seen sent, Seen got, boolean byRead) {
    UnaryOperator<Handle> more =
        known -> {
          Seen before = known.seen(service);
          return known.with(service, max(got, byRead ? before.without(sent) : before));
        };
    handle.updateAndGet(more);
  }

  /** More than a handle holds is not kept: replicas refuse to read so much as well. */
  private static Seen max(Seen got, Seen before) {
    try {
      return got.max(before);
    } catch (IllegalArgumentException tooMuch) {
      return got.clients().size() > before.clients().size() ? got : before;
    }
  }
}
