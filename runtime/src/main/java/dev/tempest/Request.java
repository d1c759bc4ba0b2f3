package dev.tempest;

import dev.tempest.runtime.frontend.Invocation;

/**
 * A call as a value: which method of which service, with which arguments. Each time it is passed to
 * {@link FrontEnd#all}, it is sent as a new request. Equal only to itself.
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

  /** The method, for people. */
  @Override
  public String toString() {
    return invocation.method().toString();
  }
}
