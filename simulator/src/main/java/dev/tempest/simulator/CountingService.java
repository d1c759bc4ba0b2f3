package dev.tempest.simulator;

import dev.tempest.state.State;
import java.util.Map;

final class CountingService implements Counting {
  private final Map<String, Long> numbers;

  private final Runnable work;

  /**
   * A number.
   *
   * @param work is done by each update
   */
  CountingService(State state, Runnable work) {
    this.work = work;
    numbers = state.map("numbers", String.class, Long.class);
  }

  @Override
  public long next() {
    work.run();
    return numbers.merge("latest", 1L, Long::sum);
  }

  @Override
  public long latest() {
    return numbers.getOrDefault("latest", 0L);
  }
}
