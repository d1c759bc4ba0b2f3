package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** What customers bought, and what that came to. */
public interface Orders {
  /**
   * Notes a sale; the number of the order, counted for each customer from 1.
   *
   * @param cents for all of them
   */
  @Update
  int place(String customer, String pet, int count, long cents);

  /** The customer's latest orders, the latest first, at most {@code max}. */
  @Read
  Order[] latest(String customer, int max);

  /** What all orders came to, in cents. */
  @Read
  long takings();
}
