package dev.tempest.examples.petstore;

import dev.tempest.state.State;

/** Nothing, without any state. */
public final class NothingService implements Nothing {
  /** Makes nothing of the state that a server hands to every service. */
  @SuppressWarnings("unused")
  public NothingService(State state) {}

  @Override
  public int write() {
    return 0;
  }

  @Override
  public int read() {
    return 0;
  }
}
