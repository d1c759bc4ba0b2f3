package dev.tempest.examples.cart;

import java.util.Comparator;
import java.util.Objects;

/**
 * One item in one customer's cart. Ordered by customer, then item.
 *
 * @param customer whose cart it is
 * @param item what is in it
 */
public record CartLine(String customer, String item) implements Comparable<CartLine> {
  private static final Comparator<CartLine> ORDER =
      Comparator.comparing(CartLine::customer).thenComparing(CartLine::item);

  /** Refuses null. */
  public CartLine {
    Objects.requireNonNull(customer, "customer");
    Objects.requireNonNull(item, "item");
  }

  @Override
  public int compareTo(CartLine that) {
    return ORDER.compare(this, that);
  }
}
