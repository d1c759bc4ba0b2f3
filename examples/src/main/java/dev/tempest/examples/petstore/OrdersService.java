package dev.tempest.examples.petstore;

import dev.tempest.state.Counter;
import dev.tempest.state.State;
import java.util.Map;
import java.util.NavigableMap;

/** The orders: a sorted map, in which those of a customer lie side by side, and a counter. */
public final class OrdersService implements Orders {
  /** The name of the map of all orders. */
  public static final String ORDERS = "orders";

  private final NavigableMap<OrderKey, Order> orders;
  private final Counter takings;

  /** Nothing was sold yet. */
  public OrdersService(State state) {
    this.orders = state.sortedMap(ORDERS, OrderKey.class, Order.class);
    this.takings = state.counter("takings");
  }

  @Override
  public int place(String customer, String pet, int count, long cents) {
    Order[] before = latest(customer, 1);
    int number = before.length == 0 ? 1 : before[0].number() + 1;
    orders.put(new OrderKey(customer, number), new Order(number, pet, count, cents));
    takings.add(cents);
    return number;
  }

  @Override
  public Order[] latest(String customer, int max) {
    return orders.tailMap(new OrderKey(customer, Integer.MAX_VALUE), true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().customer().equals(customer))
        .limit(max)
        .map(Map.Entry::getValue)
        .toArray(Order[]::new);
  }

  @Override
  public long takings() {
    return takings.get();
  }
}
