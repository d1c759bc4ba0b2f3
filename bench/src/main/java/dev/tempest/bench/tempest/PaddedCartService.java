package dev.tempest.bench.tempest;

import dev.tempest.examples.cart.CartLine;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

/** {@link PaddedCart} over a replicated map. */
final class PaddedCartService implements PaddedCart {
  private final ConcurrentMap<CartLine, Integer> counts;

  PaddedCartService(State state) {
    counts = state.map("counts", CartLine.class, Integer.class);
  }

  @Override
  public int add(String customer, String item, int count, byte[] padding) {
    return counts.merge(new CartLine(customer, item), count, Integer::sum);
  }

  @Override
  public int check(String customer, String item, byte[] padding) {
    return counts.getOrDefault(new CartLine(customer, item), 0);
  }
}
