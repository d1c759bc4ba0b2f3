package dev.tempest;

import dev.tempest.runtime.frontend.SessionMemory;
import dev.tempest.service.ServiceInterface;

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
  private final SessionMemory memory;

  Session(FrontEnd frontEnd, Handle handle) {
    this.frontEnd = frontEnd;
    this.memory = new SessionMemory(handle.seen());
  }

  /** As {@link FrontEnd#service(Class)}, for requests of this session. */
  public <S> S service(Class<S> api) {
    return service(ServiceInterface.of(api).defaultName(), api);
  }

  /** As {@link FrontEnd#service(String, Class)}, for requests of this session. */
  public <S> S service(String name, Class<S> api) {
    return frontEnd.service(name, api, memory);
  }

  /** What it has seen so far. */
  public Handle handle() {
    return new Handle(memory.seen());
  }

  /** From now on it has seen that as well: another session's handle, say. */
  public void saw(Handle other) {
    memory.saw(other.seen());
  }
}
