package dev.tempest.bench.tempest;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

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
}
