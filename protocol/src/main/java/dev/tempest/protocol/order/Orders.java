package dev.tempest.protocol.order;

import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.log.LogSettings;
import dev.tempest.protocol.order.log.ReplicaByConsensus;
import dev.tempest.protocol.order.log.RestoredByConsensus;
import dev.tempest.protocol.order.log.RestoringByConsensus;
import dev.tempest.protocol.order.time.Epochs;
import dev.tempest.protocol.order.time.Reconcile;
import dev.tempest.protocol.order.time.ReplicaByTime;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.protocol.order.time.ReplicaSettings.Limits;
import dev.tempest.protocol.order.time.ReplicaSettings.Policy;
import dev.tempest.protocol.order.time.ReplicaSettings.Timing;
import dev.tempest.protocol.order.time.RestoredByTime;
import dev.tempest.protocol.order.time.RestoringByTime;
import dev.tempest.protocol.order.time.RoutingByTime;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.LogMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the machines of each order: the one place that knows which orders there are. */
public final class Orders {
  private Orders() {}

  /**
   * A replica without state, which first asks the others of its view for theirs.
   *
   * @param seed 64 random bits of this incarnation
   */
  public static Replica replica(
      Order order, Placement placement, ServiceInstance service, long seed, long nowNanos) {
    return replica(order, placement, service, null, seed, nowNanos);
  }

  /**
   * A replica that comes back with what it had, which first asks the others of its view for more.
   *
   * @param restored by {@link #restoring} of the same order and service; null for nothing
   * @param seed 64 random bits of this incarnation
   */
  public static Replica replica(
      Order order,
      Placement placement,
      ServiceInstance service,
      @Nullable Restored restored,
      long seed,
      long nowNanos) {
    return switch (order) {
      case Order.ByTime byTime ->
          new ReplicaByTime(
              settings(byTime, placement), service, (RestoredByTime) restored, seed, nowNanos);
      case Order.ByConsensus byConsensus -> {
        RestoredByConsensus had = (RestoredByConsensus) restored;
        long self = had == null || had.replica() == 0 ? placement.self() : had.replica();
        LogSettings settings =
            LogSettings.usual(self, placement.size(), byConsensus, placement.room());
        yield new ReplicaByConsensus(settings, placement, service, had, seed, nowNanos);
      }
    };
  }

  /**
   * Begins to read a checkpoint.
   *
   * @param name of the service
   */
  public static Restoring restoring(Order order, String name, ServiceInstance service) {
    return switch (order) {
      case Order.ByTime byTime -> new RestoringByTime(NameHash.of(name), Epochs.USUAL, service);
      case Order.ByConsensus byConsensus -> new RestoringByConsensus(NameHash.of(name), service);
    };
  }

  /**
   * A replica that comes back with a log, and with the state before it.
   *
   * @param state of a checkpoint, which counts if the same replica has written it; null for none
   * @param replica which one has written it
   * @throws dev.tempest.values.encoding.MalformedException if some of it is missing
   */
  public static Restored withLog(
      @Nullable Restored state, long replica, List<LogMessage.Stored> records) {
    return RestoredByConsensus.of(state, replica, records);
  }

  /**
   * A replica that had a log, which cannot be read: it takes everything from others.
   *
   * @param replica which one it has been since; 0 for none
   */
  public static Restored withoutLog(long replica) {
    return RestoredByConsensus.lost(replica);
  }

  /** What the front-ends of a process know of the services that they ask, of whichever order. */
  public static Routing routing() {
    return routing(LogSettings.Limits.USUAL);
  }

  /** The same of services whose logs have such limits. */
  public static Routing routing(LogSettings.Limits log) {
    return new RoutingByTime(Epochs.USUAL, log.stampBehindMaxMillis());
  }

  private static ReplicaSettings settings(Order.ByTime order, Placement placement) {
    return new ReplicaSettings(
        placement.service(),
        placement.self(),
        placement.view(),
        Timing.gossiping(order.gossipIntervalMillis(), order.idleGossipMillis()),
        Limits.of(placement.room()),
        new Policy(order.adopts() ? Reconcile.ADOPT : Reconcile.MERGE, order.executesAny()));
  }
}
