package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceState;
import dev.tempest.examples.cart.CartLine;
import dev.tempest.examples.cart.ShoppingCartService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The carts of a replica compared, entry by entry, with those of a sequential replay. */
final class DemoComparison {
  private DemoComparison() {}

  /** The carts that a server has. */
  static SortedMap<CartLine, Integer> carts(Admin admin, String server) {
    return carts(admin.state(DemoCluster.SERVICE, server));
  }

  private static SortedMap<CartLine, Integer> carts(ServiceState state) {
    Map<?, ?> contents =
        (Map<?, ?>)
            Objects.requireNonNull(
                state.contents(ShoppingCartService.class).get(ShoppingCartService.CARTS));
    var carts = new TreeMap<CartLine, Integer>();
    contents.forEach((line, count) -> carts.put((CartLine) line, (Integer) count));
    return carts;
  }

  /** A line of a cart, for people. */
  static String name(CartLine line) {
    return "customer " + line.customer() + ", item " + line.item();
  }

  /** Where two sets of carts differ, one line each. */
  static List<String> differences(
      SortedMap<CartLine, Integer> expected, SortedMap<CartLine, Integer> actual) {
    var lines = new TreeSet<CartLine>(expected.keySet());
    lines.addAll(actual.keySet());
    var differences = new ArrayList<String>();
    for (CartLine line : lines) {
      Integer want = expected.get(line);
      Integer have = actual.get(line);
      if (!Objects.equals(want, have)) {
        differences.add(
            name(line)
                + ": "
                + (have == null ? "nothing" : have)
                + ", should be "
                + (want == null ? "nothing" : want));
      }
    }
    return differences;
  }
}
