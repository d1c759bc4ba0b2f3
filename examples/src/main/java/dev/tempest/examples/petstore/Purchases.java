package dev.tempest.examples.petstore;

import java.util.List;

/**
 * The pets that a customer bought last, each once, the oldest first.
 *
 * @param pets their ids
 */
public record Purchases(List<String> pets) {
  /** Copies the list. */
  public Purchases {
    pets = List.copyOf(pets);
  }
}
