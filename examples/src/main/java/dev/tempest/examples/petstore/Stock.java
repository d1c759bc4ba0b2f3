package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/**
 * How many of each pet are left.
 *
 * <p>The order of deliveries and sales matters: there are never less than none. A replica answers
 * with what it knows, so two customers at the same moment may both be told that they got the last
 * one; the one whose request counts as later did not. A shop that runs out often should keep its
 * stock in an order that asks a majority.
 */
public interface Stock {
  /**
   * Takes a delivery; how many there are then.
   *
   * @throws IllegalArgumentException if {@code count} is not positive
   * @throws ArithmeticException if there would be more than {@link Integer#MAX_VALUE}
   */
  @Update
  int deliver(String pet, int count);

  /**
   * Takes pets out for a customer: all of them, or none if there are fewer. Whether it did.
   *
   * @throws IllegalArgumentException if {@code count} is not positive
   */
  @Update
  boolean take(String pet, int count);

  /** How many there are. */
  @Read
  int left(String pet);
}
