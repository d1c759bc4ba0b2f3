package dev.tempest.simulator;

import dev.tempest.state.State;

/** Adds up what it should chain. */
final class AddsUp extends LedgerService {
  AddsUp(State state) {
    super(state);
  }

  @Override
  public long append(String key, long tag) {
    return add(key, 1, tag);
  }
}
