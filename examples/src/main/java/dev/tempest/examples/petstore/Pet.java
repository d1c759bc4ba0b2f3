package dev.tempest.examples.petstore;

import java.util.Objects;

/**
 * A kind of pet that is for sale.
 *
 * @param id by which all services know it
 * @param description for people, and for the search
 * @param cents what one costs
 */
public record Pet(String id, String description, int cents) {
  /** Refuses null and what is given away. */
  public Pet {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(description, "description");
    if (cents <= 0) {
      throw new IllegalArgumentException(id + " costs " + cents + " cents; give more than 0");
    }
  }
}
