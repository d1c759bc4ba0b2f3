package dev.tempest;

import dev.tempest.runtime.frontend.Invocation;

/**
 * A call as a value: which method of which service, with which arguments. It is sent each time it
 * is given to {@link FrontEnd#all}, as a new request each time. Equals itself only.
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
