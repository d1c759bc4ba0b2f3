package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** Which pets sell best. */
public interface Bestsellers {
  /** Counts a sale; how many of the pet were sold so far. */
  @Update
  long sold(String pet, int count);

  /** The ids of the pets that sold most, the best first, at most {@code max}. */
  @Read
  String[] top(int max);
}
