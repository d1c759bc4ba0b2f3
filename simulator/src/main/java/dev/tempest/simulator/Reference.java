package dev.tempest.simulator;

import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import java.util.List;

/**
 * What the state of one replica has to be: its entries applied one by one in the order (stamp,
 * request), with everything removed that had expired at the beginning of each epoch. Never inserts
 * anything late and keeps no versions.
 */
final class Reference {
  private final ServiceInstance service;
  private final int epochMillis;
  private Version settled;
  private long settledEpoch = -1;
  private long taken;
  private List<Entry> unsettled = List.of();

  Reference(ServiceInstance service, int epochMillis) {
    this.service = service;
    this.epochMillis = epochMillis;
    this.settled = service.emptyVersion();
  }

  /** The replica has made a step. */
  void stepped(ReplicaMachine machine) {
    if (machine.taken() > taken) {
      takes(machine);
      return;
    }
    long epoch = machine.status().settledEpoch();
    if (epoch > settledEpoch) {
      List<Entry> settles = unsettled.stream().filter(entry -> epochOf(entry) <= epoch).toList();
      settled = service.expire(applied(settled, settles), (epoch + 1) * epochMillis);
      settledEpoch = epoch;
    }
    unsettled = machine.unsettled();
  }

  /** The replica has what it did not execute: whether it is right the other replicas tell. */
  void takes(ReplicaMachine machine) {
    taken = machine.taken();
    settled = machine.base();
    settledEpoch = machine.status().settledEpoch();
    unsettled = machine.unsettled();
  }

  /** Whether the replica has the state that it has to have. */
  boolean equalsStateOf(ReplicaMachine machine, long nowMillis) {
    return service
        .expire(applied(settled, unsettled), nowMillis)
        .equals(service.expire(machine.version(), nowMillis));
  }

  private long epochOf(Entry entry) {
    return Stamp.millis(entry.stamp()) / epochMillis;
  }

  private Version applied(Version before, List<Entry> entries) {
    Version version = before;
    long begun = -1;
    for (Entry entry : entries) {
      if (epochOf(entry) > begun) {
        begun = epochOf(entry);
        version = service.expire(version, begun * epochMillis);
      }
      long millis = Stamp.millis(entry.stamp());
      version =
          switch (entry.body()) {
            case Change change -> service.apply(version, change.writes()).after();
            case Executed executed -> service.apply(version, executed.writes()).after();
            case Call call ->
                service
                    .update(version, call.method(), call.arguments(), millis, Mix.hash(entry.id()))
                    .after();
          };
    }
    return version;
  }
}
