package dev.tempest.protocol;

import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Highest-random-weight hashing of requests to replicas: every process ranks the replicas for a
 * request alike without a word between them, and the load spreads evenly.
 */
public final class Rendezvous {
  private Rendezvous() {}

  /** How many of {@code replicas} come before {@code replica} for this request: 0 is the first. */
  public static int rank(RequestId id, long replica, Collection<Long> replicas) {
    long own = weight(id, replica);
    int before = 0;
    for (long other : replicas) {
      long weight = weight(id, other);
      if (weight > own || (weight == own && other < replica)) {
        before++;
      }
    }
    return before;
  }

  /** All replicas, the first one first. */
  public static List<Long> ranked(RequestId id, Collection<Long> replicas) {
    Comparator<Long> byWeight = Comparator.comparingLong(replica -> weight(id, replica));
    List<Long> ranked = new ArrayList<>(replicas);
    ranked.sort(byWeight.reversed().thenComparing(Comparator.naturalOrder()));
    return ranked;
  }

  private static long weight(RequestId id, long replica) {
    return Mix.mix(Mix.mix(id.client() + Mix.mix(id.sequence())) + replica);
  }
}
