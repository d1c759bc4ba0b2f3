package dev.tempest;

import dev.tempest.runtime.frontend.CausalMemory;
import dev.tempest.service.execution.ServiceInterface;

/**
 * Requests that follow each other, such as those of one user: each sees what the earlier ones have
 * seen.
 *
 * <p>Whichever replica answers, a read sees every update of the chain that had returned when the
 * read began, and everything that earlier reads of the chain saw. A replica that lacks some of that
 * waits a moment, then another replica is asked; if none has it before the deadline, the read ends
 * as {@link Outcome.Reason#BEHIND}. An update does not wait: it is ordered after everything that
 * the chain has seen.
 *
 * <p>Thread-safe; requests made at the same time have no order.
 */
public final class CausalChain {
  private final FrontEnd frontEnd;
  private final CausalMemory memory;

  CausalChain(FrontEnd frontEnd, Handle handle) {
    this.frontEnd = frontEnd;
    this.memory = new CausalMemory(handle.seen());
  }

  /** As {@link FrontEnd#service(Class)}, for requests of this chain. */
  public <S> S service(Class<S> api) {
    return service(ServiceInterface.of(api).defaultName(), api);
  }

  /** As {@link FrontEnd#service(String, Class)}, for requests of this chain. */
  public <S> S service(String name, Class<S> api) {
    return frontEnd.service(name, api, memory);
  }

  /** What the chain has seen so far, for another one. */
  public Handle handle() {
    return new Handle(memory.seen());
  }

  /** Adds what a handle, such as that of another chain, has seen to what this chain has seen. */
  public void saw(Handle other) {
    memory.saw(other.seen());
  }
}
