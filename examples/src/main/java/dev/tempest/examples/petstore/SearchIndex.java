package dev.tempest.examples.petstore;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** Finds pets by the words of their descriptions. */
public interface SearchIndex {
  /** Makes a pet found by the words of {@code text}; how many of them are new for it. */
  @Update
  int index(String pet, String text);

  /** The ids of pets with that word, in their order, at most {@code max}. */
  @Read
  String[] find(String word, int max);
}
