package dev.tempest.examples.shop;

import dev.tempest.spring.TempestService;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

@TempestService("stock")
final class StockService implements Stock {
  private final ConcurrentMap<String, Integer> counts;

  StockService(State state) {
    counts = state.map("counts", String.class, Integer.class);
  }

  @Override
  public int add(String product, int count) {
    return counts.merge(product, count, Math::addExact);
  }

  @Override
  public int count(String product) {
    return counts.getOrDefault(product, 0);
  }
}
