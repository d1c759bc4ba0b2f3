package dev.tempest.simulator;

import dev.tempest.state.State;
import java.util.Map;

final class CountingService implements Counting {
  private final Map<String, Long> numbers;

  CountingService(State state) {
    numbers = state.map("numbers", String.class, Long.class);
  }

  @Override
  public long next() {
    return numbers.merge("latest", 1L, Long::sum);
  }

  @Override
  public long latest() {
    return numbers.getOrDefault("latest", 0L);
  }
}
