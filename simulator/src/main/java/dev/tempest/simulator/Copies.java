package dev.tempest.simulator;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Running machines that were copied: two processes have one id, and nobody may take one of them for
 * the other. It lasts until the copy starts again.
 */
final class Copies {
  private final Cluster cluster;

  /** The ids of the lives that are copies, by the index of the process; some have ended. */
  private final Map<Integer, Long> ids = new TreeMap<>();

  private @Nullable Long copied;

  Copies(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The id of a life that begins now. */
  long nextId() {
    return copied == null ? cluster.random().nextLong() : copied;
  }

  /** A process goes on as a copy of another one that runs. */
  void make(ReplicaProcess replica, ReplicaProcess of) {
    if (replica != of && of.isUp()) {
      cluster.trace(replica.name, "becomes a copy of " + of.name);
      cluster.history().beganApart();
      replica.crash();
      ids.put(replica.index, of.senderId());
      copied = of.senderId();
      replica.start();
      cluster.history().copied(of.incarnation(), replica.incarnation());
      copied = null;
    }
  }

  /** Those that are copies end, and may start with ids of their own. */
  void end() {
    for (ReplicaProcess replica : cluster.replicas()) {
      Long id = ids.remove(replica.index);
      if (id != null && replica.isUp() && replica.senderId() == id) {
        replica.crash();
      }
    }
  }
}
