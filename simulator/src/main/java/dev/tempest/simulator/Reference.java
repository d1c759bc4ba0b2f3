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
import org.jspecify.annotations.Nullable;

/**
 * What the state of one replica has to be: its entries applied one by one in the order (stamp,
 * request), with everything removed that had expired at the beginning of each epoch. Never inserts
 * anything late and keeps no versions.
 */
final class Reference {
  /**
   * What entries lead to.
   *
   * @param begun the epoch of the last one; before it began all was removed that had expired
   */
  private record Applied(Version base, List<Entry> entries, Version version, long begun) {
    static Applied none(Version base) {
      return new Applied(base, List.of(), base, -1);
    }
  }

  private final ServiceInstance service;
  private final int epochMillis;
  private Version settled;
  private long settledEpoch = -1;
  private long taken;
  private List<Entry> unsettled = List.of();

  /** What was compared last, and found equal to that: mostly a few entries have come since. */
  private Applied compared;

  private @Nullable Version equal;

  Reference(ServiceInstance service, int epochMillis) {
    this.service = service;
    this.epochMillis = epochMillis;
    this.settled = service.emptyVersion();
    this.compared = Applied.none(settled);
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
      Version after = applied(Applied.none(settled), settles).version();
      settled = service.expire(after, (epoch + 1) * epochMillis);
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
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  boolean equalsStateOf(ReplicaMachine machine, long nowMillis) {
    boolean goesOn = beginsWith(compared);
    if (goesOn && compared.entries().size() == unsettled.size() && machine.version() == equal) {
      return true;
    }
    compared = applied(goesOn ? compared : Applied.none(settled), unsettled);
    boolean isEqual =
        service
            .expire(compared.version(), nowMillis)
            .equals(service.expire(machine.version(), nowMillis));
    equal = isEqual ? machine.version() : null;
    return isEqual;
  }

  @SuppressWarnings("ReferenceEquality") // A base that is another object may be another one.
  private boolean beginsWith(Applied before) {
    int entries = before.entries().size();
    return before.base() == settled
        && entries <= unsettled.size()
        && unsettled.subList(0, entries).equals(before.entries());
  }

  private long epochOf(Entry entry) {
    return Stamp.millis(entry.stamp()) / epochMillis;
  }

  /** All of these entries, of which the first were applied before. */
  private Applied applied(Applied before, List<Entry> entries) {
    Version version = before.version();
    long begun = before.begun();
    for (Entry entry : entries.subList(before.entries().size(), entries.size())) {
      if (epochOf(entry) > begun) {
        begun = epochOf(entry);
        version = service.expire(version, begun * epochMillis);
      }
      version = after(version, entry);
    }
    return new Applied(before.base(), entries, version, begun);
  }

  private Version after(Version before, Entry entry) {
    return switch (entry.body()) {
      case Change change -> service.apply(before, change.writes()).after();
      case Executed executed -> service.apply(before, executed.writes()).after();
      case Call call -> {
        long millis = Stamp.millis(entry.stamp());
        long seed = Mix.hash(entry.id());
        yield service.update(before, call.method(), call.arguments(), millis, seed).after();
      }
    };
  }
}
