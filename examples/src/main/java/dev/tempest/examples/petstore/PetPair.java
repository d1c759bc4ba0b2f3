package dev.tempest.examples.petstore;

import java.util.Comparator;

/**
 * Two pets that the same customer bought. Ordered by one, then the other.
 *
 * @param pet one, by its id
 * @param other and the other
 */
public record PetPair(String pet, String other) implements Comparable<PetPair> {
  private static final Comparator<PetPair> ORDER =
      Comparator.comparing(PetPair::pet).thenComparing(PetPair::other);

  @Override
  public int compareTo(PetPair that) {
    return ORDER.compare(this, that);
  }
}
