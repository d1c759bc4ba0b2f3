package dev.tempest.state;

/** What a service class declares its state objects with, in its constructor. */
public final class State {
  /** No state objects yet. */
  public State() {}
}
