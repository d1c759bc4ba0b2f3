package dev.tempest.examples.petstore;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a customer sees of a pet: as much of it as the services answered in time.
 *
 * @param pet null if there is none of that id, or nobody said
 * @param found pets with the same word in their descriptions
 * @param left how many there are, if somebody said
 * @param orders the customer's latest, the latest first
 * @param bestsellers the best first
 * @param alike what customers bought who bought this one
 * @param missing the requests that got no value in time, for people
 */
public record Page(
    @Nullable Pet pet,
    List<String> found,
    OptionalInt left,
    List<Order> orders,
    List<String> bestsellers,
    List<String> alike,
    List<String> missing) {
  /** Copies the lists. */
  public Page {
    found = List.copyOf(found);
    orders = List.copyOf(orders);
    bestsellers = List.copyOf(bestsellers);
    alike = List.copyOf(alike);
    missing = List.copyOf(missing);
  }

  /** Whether every service answered. */
  public boolean isWhole() {
    return missing.isEmpty();
  }
}
