package dev.tempest;

import dev.tempest.runtime.frontend.Invocation;
import java.util.Optional;

/**
 * A call as a value: which method of which service, with which arguments. Each time it is passed to
 * {@link FrontEnd#all} or {@link FrontEnd#outcome(Request)}, it is sent as a new request, unless a
 * key names it. Equal only to itself.
 *
 * <p>Immutable: it keeps the arguments as they were when it was made.
 *
 * @param <R> what the method returns
 */
public final class Request<R> {
  private final Invocation<R> invocation;

  Request(Invocation<R> invocation) {
    this.invocation = invocation;
  }

  Invocation<R> invocation() {
    return invocation;
  }

  /**
   * What an update is called if a key names it, see {@link FrontEnd#once}: the same for whoever
   * makes the same call under the same key, and different for every other call or key. Empty if no
   * key names it.
   */
  public Optional<String> name() {
    return invocation.once();
  }

  /** The method, for people. */
  @Override
  public String toString() {
    return invocation.method().toString();
  }
}
