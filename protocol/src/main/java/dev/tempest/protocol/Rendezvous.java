package dev.tempest.protocol;

import dev.tempest.wire.RequestId;
import java.util.Collection;

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

  /** The replica of a rank, counted from 0. */
  public static long at(int rank, RequestId id, Collection<Long> replicas) {
    for (long replica : replicas) {
      if (rank(id, replica, replicas) == rank) {
        return replica;
      }
    }
    throw new IllegalArgumentException("no rank " + rank + " among " + replicas.size());
  }

  private static long weight(RequestId id, long replica) {
    return Mix.mix(Mix.mix(id.client() + Mix.mix(id.sequence())) + replica);
  }
}
