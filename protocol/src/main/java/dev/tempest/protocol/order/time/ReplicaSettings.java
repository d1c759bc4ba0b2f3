package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import java.util.SortedMap;

/**
 * How one replica of one service runs.
 *
 * @param service the stable hash of the service's name
 * @param self the id of this replica
 * @param view all replicas of the service, this one included, and where they are reached
 * @param gossipIntervalMillis the time between two gossip rounds that this replica starts
 * @param idleGossipMillis the same while nothing is unsettled here; at least as long
 * @param epochMillis the length of an epoch; equal at all replicas
 * @param closeAfterEpochs how many epochs the clock has to be past an epoch for it to close
 * @param stampAheadMaxMillis a stamp further ahead of the clock is refused
 * @param joinTimeoutMillis a replica that has heard of no replica with state for so long starts
 *     with none
 * @param reunionMillis for so long after a replica has left the view nothing settles without it, as
 *     far as memory allows: if it comes back with entries of its own, all find their places
 * @param unsettledMaxBytes what unsettled entries may take in memory, about; beyond it the replica
 *     {@linkplain ReplicaByTime#isFull is full}
 * @param reconcile what two replicas do of which each has what the other lacks; equal at all
 *     replicas
 * @param executesAny whether one replica executes a call, any, and the others apply what it wrote;
 *     else all execute it
 */
public record ReplicaSettings(
    long service,
    long self,
    SortedMap<Long, Address> view,
    int gossipIntervalMillis,
    int idleGossipMillis,
    int epochMillis,
    int closeAfterEpochs,
    int stampAheadMaxMillis,
    int joinTimeoutMillis,
    int reunionMillis,
    long unsettledMaxBytes,
    Reconcile reconcile,
    boolean executesAny) {

  /** Settings with the defaults for everything but who is there. */
  public static ReplicaSettings of(long service, long self, SortedMap<Long, Address> view) {
    return new ReplicaSettings(
        service,
        self,
        view,
        100,
        100,
        Epochs.USUAL.lengthMillis(),
        Epochs.USUAL.closeAfter(),
        Stamp.AHEAD_MAX_MILLIS,
        1_000,
        60_000,
        256L << 20,
        Reconcile.MERGE,
        false);
  }

  /** The same with another interval, also while nothing is unsettled. */
  public ReplicaSettings withGossipMillis(int millis) {
    return new ReplicaSettings(
        service,
        self,
        view,
        millis,
        millis,
        epochMillis,
        closeAfterEpochs,
        stampAheadMaxMillis,
        joinTimeoutMillis,
        reunionMillis,
        unsettledMaxBytes,
        reconcile,
        executesAny);
  }

  /** The same with another interval while nothing is unsettled. */
  public ReplicaSettings withIdleGossipMillis(int millis) {
    return new ReplicaSettings(
        service,
        self,
        view,
        gossipIntervalMillis,
        millis,
        epochMillis,
        closeAfterEpochs,
        stampAheadMaxMillis,
        joinTimeoutMillis,
        reunionMillis,
        unsettledMaxBytes,
        reconcile,
        executesAny);
  }

  /** The same with another limit for unsettled entries. */
  public ReplicaSettings withUnsettledMaxBytes(long bytes) {
    return new ReplicaSettings(
        service,
        self,
        view,
        gossipIntervalMillis,
        idleGossipMillis,
        epochMillis,
        closeAfterEpochs,
        stampAheadMaxMillis,
        joinTimeoutMillis,
        reunionMillis,
        bytes,
        reconcile,
        executesAny);
  }

  /** The same with another way to reconcile. */
  public ReplicaSettings withReconcile(Reconcile chosen) {
    return new ReplicaSettings(
        service,
        self,
        view,
        gossipIntervalMillis,
        idleGossipMillis,
        epochMillis,
        closeAfterEpochs,
        stampAheadMaxMillis,
        joinTimeoutMillis,
        reunionMillis,
        unsettledMaxBytes,
        chosen,
        executesAny);
  }

  /** The same with calls that are executed by any replica, or by all. */
  public ReplicaSettings withExecutesAny(boolean any) {
    return new ReplicaSettings(
        service,
        self,
        view,
        gossipIntervalMillis,
        idleGossipMillis,
        epochMillis,
        closeAfterEpochs,
        stampAheadMaxMillis,
        joinTimeoutMillis,
        reunionMillis,
        unsettledMaxBytes,
        reconcile,
        any);
  }

  /** Refuses settings that cannot work. */
  public ReplicaSettings {
    if (!view.containsKey(self)) {
      throw new IllegalArgumentException(
          "the view " + view.keySet() + " lacks the replica itself, " + self);
    }
    if (gossipIntervalMillis < 1
        || idleGossipMillis < gossipIntervalMillis
        || epochMillis < 1
        || closeAfterEpochs < 1) {
      throw new IllegalArgumentException("intervals and epochs are at least 1");
    }
    if (stampAheadMaxMillis < 1 || joinTimeoutMillis < 1) {
      throw new IllegalArgumentException("limits and timeouts are at least 1 ms");
    }
    if (reunionMillis < 0 || unsettledMaxBytes < 1) {
      throw new IllegalArgumentException("a time is not negative, memory at least 1 byte");
    }
  }
}
