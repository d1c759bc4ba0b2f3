package dev.tempest.examples.petstore;

import dev.tempest.state.State;
import java.util.Map;

/** The stock: a count for each pet. */
public final class StockService implements Stock {
  /** The name of the map with a count for each pet. */
  public static final String COUNTS = "counts";

  private final Map<String, Integer> counts;

  /** An empty shop. */
  public StockService(State state) {
    this.counts = state.map(COUNTS, String.class, Integer.class);
  }

  @Override
  public int deliver(String pet, int count) {
    requirePositive(count);
    return counts.merge(pet, count, Math::addExact);
  }

  @Override
  public boolean take(String pet, int count) {
    requirePositive(count);
    int left = left(pet);
    if (left < count) {
      return false;
    }
    counts.put(pet, left - count);
    return true;
  }

  @Override
  public int left(String pet) {
    return counts.getOrDefault(pet, 0);
  }

  private static void requirePositive(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException("a count cannot be " + count + "; give 1 or more");
    }
  }
}
