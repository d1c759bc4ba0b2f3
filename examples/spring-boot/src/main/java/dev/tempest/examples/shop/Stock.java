package dev.tempest.examples.shop;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** How many of each product there are. */
public interface Stock {
  /** More, or fewer. */
  @Update
  int add(String product, int count);

  /** How many. */
  @Read
  int count(String product);
}
