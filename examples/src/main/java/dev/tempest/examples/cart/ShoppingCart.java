package dev.tempest.examples.cart;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/**
 * A cart per customer: how many of each item are in it.
 *
 * <p>After the example of the Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN 2008,
 * Fig. 1), with the customer as a parameter. Every method returns the count of the item in the cart
 * when it is done; an item that is not in the cart counts 0. The order of the updates of one item
 * in one cart matters, because a cart never holds less than nothing.
 */
public interface ShoppingCart {
  /**
   * Puts {@code count} more of the item into the cart.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   * @throws ArithmeticException if there would be more than {@link Integer#MAX_VALUE}
   */
  @Update
  int add(String customer, String item, int count);

  /**
   * Takes {@code count} of the item out of the cart, or all that are there if those are fewer.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  @Update
  int remove(String customer, String item, int count);

  /**
   * Makes it {@code count} of the item in the cart, however many there were.
   *
   * @throws IllegalArgumentException if {@code count} is negative
   */
  @Update
  int update(String customer, String item, int count);

  /** How many of the item are in the cart. */
  @Read
  int check(String customer, String item);
}
