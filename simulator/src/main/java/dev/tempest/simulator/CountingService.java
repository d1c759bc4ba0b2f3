package dev.tempest.simulator;

import dev.tempest.state.State;
import org.jspecify.annotations.Nullable;

final class CountingService extends OlderCountingService implements Counting {
  private final @Nullable Randomness own;

  /**
   * A service.
   *
   * @param work is done by each update
   * @param own what it draws numbers from, though no other process has it; null if it is right
   */
  CountingService(State state, Runnable work, @Nullable Randomness own) {
    super(state, work);
    this.own = own;
  }

  @Override
  public long another() {
    return next();
  }

  @Override
  long drawn() {
    return own == null ? super.drawn() : own.nextLong();
  }
}
