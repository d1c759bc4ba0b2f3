package dev.tempest.examples.petstore;

import java.util.Comparator;

/**
 * That a word occurs in the description of a pet. Ordered by word, then pet.
 *
 * @param word in lower case
 * @param pet the pet's id
 */
public record Posting(String word, String pet) implements Comparable<Posting> {
  private static final Comparator<Posting> ORDER =
      Comparator.comparing(Posting::word).thenComparing(Posting::pet);

  @Override
  public int compareTo(Posting that) {
    return ORDER.compare(this, that);
  }
}
