package dev.tempest.simulator;

import dev.tempest.protocol.order.Stamp;
import java.util.List;

/** What people do whom logs tell that a clock is far ahead: they restart its replica. */
final class People {
  private static final long FAR_AHEAD_MILLIS = Faults.FAR_OFF_MIN_MILLIS / 2;

  private final Cluster cluster;
  private boolean lostTime;

  People(Cluster cluster) {
    this.cluster = cluster;
  }

  /** End those that are far ahead by now, and take away what their disks have; which these are. */
  List<ReplicaProcess> endThoseFarAhead() {
    List<ReplicaProcess> farAhead = cluster.replicas().stream().filter(this::isFarAhead).toList();
    farAhead.forEach(ReplicaProcess::crash);
    cluster.disks().stream()
        .filter(disk -> farAhead.stream().anyMatch(disk::isOf))
        .forEach(ReplicaDisk::wipe);
    lostTime |= !farAhead.isEmpty();
    return farAhead;
  }

  /**
   * Whether somebody may have seen a time that nobody has any more: it is restarted, or refused
   * until that time comes.
   */
  boolean lostTime() {
    return lostTime;
  }

  /**
   * Whether it waits for the time of most others to come, as people are told: they restart it
   * without its checkpoint. Or what it has written waits, which nobody is told.
   */
  private boolean isFarAhead(ReplicaProcess replica) {
    long[] times =
        cluster.replicas().stream()
            .filter(ReplicaProcess::isActive)
            .mapToLong(each -> each.machine().nowMillis())
            .sorted()
            .toArray();
    return replica.isActive()
        && Math.max(replica.machine().nowMillis(), newestMillis(replica))
            > times[times.length / 2] + FAR_AHEAD_MILLIS;
  }

  /** The time of its latest entry that has not settled; 0 if it has none. */
  private static long newestMillis(ReplicaProcess replica) {
    return replica.machine().unsettled().stream()
        .mapToLong(entry -> Stamp.millis(entry.stamp()))
        .max()
        .orElse(0);
  }
}
