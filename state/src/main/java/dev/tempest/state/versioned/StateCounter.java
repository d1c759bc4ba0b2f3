package dev.tempest.state.versioned;

import dev.tempest.state.Counter;

/** A declared counter as the service holds it, over the version of the action that executes. */
final class StateCounter implements Counter {
  private final VersionedState state;
  private final CounterObject object;

  StateCounter(VersionedState state, CounterObject object) {
    this.state = state;
    this.object = object;
  }

  CounterObject object() {
    return object;
  }

  boolean isOf(VersionedState other) {
    return state == other;
  }

  @Override
  public long get() {
    return (Long) state.root(object);
  }

  @Override
  public long add(long delta) {
    return state.write(action -> action.add(object, delta));
  }

  @Override
  public String toString() {
    return Long.toString(get());
  }
}
