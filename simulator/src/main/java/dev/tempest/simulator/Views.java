package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Tells processes that write by themselves who is there, some time after that has changed and not
 * all of them at once: what a membership protocol comes to. Nobody is told of one that lost its
 * memory, stopped for long, or cannot be heard in both directions; not all need to be told the
 * same.
 */
final class Views {
  private static final long MILLI = 1_000_000;

  private final Cluster cluster;
  private final Randomness random;

  Views(Cluster cluster, Randomness random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** Looks now, and again and again. */
  void watch() {
    for (ReplicaProcess replica : cluster.replicas()) {
      if (replica.isUp() && !replica.isStopped()) {
        SortedMap<Long, Address> view = viewOf(replica);
        if (replica.told() == null && lacksSomebody(view)) {
          cluster.history().beganApart();
        }
        if (!view.equals(replica.told())) {
          replica.tell(Collections.unmodifiableSortedMap(view));
        }
      }
    }
    cluster.at(cluster.nowNanos() + random.between(50, 500) * MILLI, this::watch);
  }

  private boolean lacksSomebody(SortedMap<Long, Address> view) {
    return cluster.replicas().stream()
        .anyMatch(other -> other.isUp() && !view.containsKey(other.senderId()));
  }

  private SortedMap<Long, Address> viewOf(ReplicaProcess replica) {
    SortedMap<Long, Address> view = new TreeMap<>();
    for (ReplicaProcess other : cluster.replicas()) {
      boolean heard =
          cluster.network().connects(replica.index, other.index)
              && cluster.network().connects(other.index, replica.index);
      if (other == replica || (heard && other.isUp() && !other.isStopped())) {
        view.put(other.senderId(), new SimAddress(other.index));
      }
    }
    return view;
  }
}
