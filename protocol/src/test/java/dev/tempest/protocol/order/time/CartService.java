package dev.tempest.protocol.order.time;

import dev.tempest.state.State;
import java.util.Map;

final class CartService implements Cart {
  private final Map<String, Integer> counts;

  CartService(State state) {
    counts = state.map("counts", String.class, Integer.class);
  }

  @Override
  public int add(String item, int count) {
    return counts.merge(item, count, Integer::sum);
  }

  @Override
  public int remove(String item) {
    Integer removed = counts.remove(item);
    return removed == null ? 0 : removed;
  }

  @Override
  public int update(String item, int count) {
    Integer before = counts.put(item, count);
    return before == null ? 0 : before;
  }

  @Override
  public int check(String item) {
    return counts.getOrDefault(item, 0);
  }
}
