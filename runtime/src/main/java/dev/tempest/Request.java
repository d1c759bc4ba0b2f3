package dev.tempest;

import dev.tempest.runtime.frontend.Invocation;

/**
 * A request as a value: which method of which service, with which arguments. Nothing is sent until
 * it is handed to {@link FrontEnd#all}, and each time it is, it is a request of its own. Equals
 * itself only.
 *
 * <p>Immutable: its arguments are those of the moment when it was made.
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

  /** The method, for people. */
  @Override
  public String toString() {
    return invocation.method().toString();
  }
}
