package dev.tempest.examples.petstore;

import java.util.Comparator;

/**
 * Which order it is. Ordered by customer, the latest first.
 *
 * @param customer whose order it is
 * @param number the customer's 1st, 2nd, 3rd
 */
public record OrderKey(String customer, int number) implements Comparable<OrderKey> {
  private static final Comparator<OrderKey> ORDER =
      Comparator.comparing(OrderKey::customer)
          .thenComparing(Comparator.comparingInt(OrderKey::number).reversed());

  @Override
  public int compareTo(OrderKey that) {
    return ORDER.compare(this, that);
  }
}
