package dev.tempest.examples.petstore;

import java.util.Comparator;

/**
 * How well a pet sells. Ordered by count, the highest first, then pet.
 *
 * @param sold how many
 * @param pet the pet's id
 */
public record Rank(long sold, String pet) implements Comparable<Rank> {
  private static final Comparator<Rank> ORDER =
      Comparator.comparingLong(Rank::sold).reversed().thenComparing(Rank::pet);

  @Override
  public int compareTo(Rank that) {
    return ORDER.compare(this, that);
  }
}
