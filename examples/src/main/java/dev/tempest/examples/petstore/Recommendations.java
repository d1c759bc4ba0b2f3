package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** What customers bought who bought the same. */
public interface Recommendations {
  /** Learns from a sale; with how many other pets of the same customer. */
  @Update
  int bought(String customer, String pet);

  /** The ids of pets that the same customers bought, the most frequent first. */
  @Read
  String[] alike(String pet, int max);
}
