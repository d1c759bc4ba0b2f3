package dev.tempest.bench;

import dev.tempest.examples.cart.CartLine;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

/**
 * The cart of the Tempest paper with one more argument, which makes requests as long as the
 * experiment has them and does nothing else.
 */
public interface PaddedCart {
  /** Puts {@code count} more of the item into the cart; returns how many are in it then. */
  @Update
  int add(String customer, String item, int count, byte[] padding);

  /** How many of the item are in the cart. */
  @Read
  int check(String customer, String item, byte[] padding);

  /** One of the methods, for those who make requests by hand. */
  static ServiceMethod method(String name) {
    return ServiceInterface.of(PaddedCart.class).methods().stream()
        .filter(method -> method.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Over a replicated map. */
  final class Service implements PaddedCart {
    private final ConcurrentMap<CartLine, Integer> counts;

    Service(State state) {
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
}
