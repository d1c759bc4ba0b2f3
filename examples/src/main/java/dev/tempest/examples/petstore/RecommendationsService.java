package dev.tempest.examples.petstore;

import dev.tempest.state.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** The recommendations: the last purchases of each customer, and how often two came together. */
public final class RecommendationsService implements Recommendations {
  /** What a customer bought longer ago says little. */
  private static final int REMEMBERED_MAX = 8;

  private final Map<String, Purchases> customers;
  private final NavigableMap<PetPair, Long> pairs;

  /** Nothing is known yet. */
  public RecommendationsService(State state) {
    this.customers = state.map("customers", String.class, Purchases.class);
    this.pairs = state.sortedMap("pairs", PetPair.class, Long.class);
  }

  @Override
  public int bought(String customer, String pet) {
    List<String> pets = new ArrayList<>();
    Purchases before = customers.get(customer);
    if (before != null) {
      pets.addAll(before.pets());
    }
    pets.remove(pet);
    for (String other : pets) {
      pairs.merge(new PetPair(pet, other), 1L, Long::sum);
      pairs.merge(new PetPair(other, pet), 1L, Long::sum);
    }
    int others = pets.size();
    pets.add(pet);
    int from = Math.max(0, pets.size() - REMEMBERED_MAX);
    customers.put(customer, new Purchases(pets.subList(from, pets.size())));
    return others;
  }

  @Override
  public String[] alike(String pet, int max) {
    return pairs.tailMap(new PetPair(pet, ""), true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().pet().equals(pet))
        .sorted(Map.Entry.<PetPair, Long>comparingByValue(Comparator.reverseOrder()))
        .limit(max)
        .map(entry -> entry.getKey().other())
        .toArray(String[]::new);
  }
}
