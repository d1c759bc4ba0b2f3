package dev.tempest.examples.cart;

import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

/** The shopping cart: a plain class over a map that Tempest keeps on every replica. */
public final class ShoppingCartService implements ShoppingCart {
  /** The name of the map with a count for each item in each cart. */
  public static final String CARTS = "carts";

  private final ConcurrentMap<CartLine, Integer> carts;

  /** Empty carts. */
  public ShoppingCartService(State state) {
    this.carts = state.map(CARTS, CartLine.class, Integer.class);
  }

  @Override
  public int add(String customer, String item, int count) {
    requireCount(count);
    return put(new CartLine(customer, item), Math.addExact(check(customer, item), count));
  }

  @Override
  public int remove(String customer, String item, int count) {
    requireCount(count);
    return put(new CartLine(customer, item), Math.max(0, check(customer, item) - count));
  }

  @Override
  public int update(String customer, String item, int count) {
    requireCount(count);
    return put(new CartLine(customer, item), count);
  }

  @Override
  public int check(String customer, String item) {
    return carts.getOrDefault(new CartLine(customer, item), 0);
  }

  private int put(CartLine line, int count) {
    if (count == 0) {
      carts.remove(line);
    } else {
      carts.put(line, count);
    }
    return count;
  }

  private static void requireCount(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("a count cannot be " + count + "; give 0 or more");
    }
  }
}
