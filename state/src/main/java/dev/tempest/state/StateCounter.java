package dev.tempest.state;

/** A declared counter as the service holds it, over the version of the action that executes. */
final class StateCounter implements Counter {
  private final State state;
  private final CounterObject object;

  StateCounter(State state, CounterObject object) {
    this.state = state;
    this.object = object;
  }

  @Override
  public long get() {
    return state.action().value(object);
  }

  @Override
  public long add(long delta) {
    return state.writing().add(object, delta);
  }

  @Override
  public String toString() {
    return Long.toString(get());
  }
}
