package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import org.jspecify.annotations.Nullable;

/** What is for sale, and for how much. */
public interface Catalog {
  /** Adds a pet, or replaces the one of that id; whether there was one. */
  @Update
  boolean put(Pet pet);

  /** The pet of that id; null if there is none. */
  @Read
  @Nullable Pet pet(String id);
}
