package dev.tempest.operations;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;
import java.util.function.Function;

/** A service to be looked at. */
public interface Basket {
  /** How many there are then. */
  @Update
  int add(String item, int count);

  /** How many there are. */
  @Read
  int check(String item);

  /** Makes it over its state. */
  static Function<State, Basket> factory() {
    return state -> new BasketService(state.map("items", String.class, Integer.class));
  }

  /** The service. */
  final class BasketService implements Basket {
    private final Map<String, Integer> items;

    BasketService(Map<String, Integer> items) {
      this.items = items;
    }

    @Override
    public int add(String item, int count) {
      return items.merge(item, count, Integer::sum);
    }

    @Override
    public int check(String item) {
      return items.getOrDefault(item, 0);
    }
  }
}
