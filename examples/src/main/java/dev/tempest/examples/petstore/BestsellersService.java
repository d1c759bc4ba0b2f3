package dev.tempest.examples.petstore;

import dev.tempest.state.State;
import java.util.Map;
import java.util.NavigableSet;

/** The bestsellers: counts, and a sorted set of them. */
public final class BestsellersService implements Bestsellers {
  private final Map<String, Long> counts;
  private final NavigableSet<Rank> ranks;

  /** Nothing was sold yet. */
  public BestsellersService(State state) {
    this.counts = state.map("counts", String.class, Long.class);
    this.ranks = state.sortedSet("ranks", Rank.class);
  }

  @Override
  public long sold(String pet, int count) {
    long before = counts.getOrDefault(pet, 0L);
    long after = before + count;
    ranks.remove(new Rank(before, pet));
    ranks.add(new Rank(after, pet));
    counts.put(pet, after);
    return after;
  }

  @Override
  public String[] top(int max) {
    return ranks.stream().limit(max).map(Rank::pet).toArray(String[]::new);
  }
}
