package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.time.ReplicaByTime;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.protocol.order.time.RestoredByTime;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A replica as a world sees it: the production one, or a canary around it. */
interface ReplicaMachine {
  List<Effect> step(Event event);

  long nextTickNanos();

  boolean isActive();

  /** Whether its process should write nothing more for now. */
  boolean isFull();

  /** Whether its process should wait before it writes more. */
  boolean isAhead();

  /** The time by which updates count, in milliseconds. */
  long nowMillis();

  Version version();

  /** What a process that writes sees of it. */
  Version latest();

  Prefix settled();

  /** The sum of everything through an epoch that has not settled. */
  Prefix through(long epoch);

  /** The settled state. */
  Version base();

  /** How many states of others it has taken. */
  long taken();

  /** How many updates whose clients wait it has forgotten for others. */
  long forgottenUpdates();

  /** Who may lack what is settled. */
  Kept kept();

  /** Whether what is settled began with this. */
  boolean hasSettled(Prefix prefix);

  List<Entry> unsettled();

  long unsettledBytes();

  boolean hasExecuted(RequestId id);

  /** Whether it may have executed updates of a client that it does not know any more. */
  boolean mayHaveForgotten(long client);

  @Nullable Seen seen();

  boolean hasSeen(Seen seen);

  ServiceStatus status();

  /** What it would write to a disk; null for nothing. */
  default @Nullable Checkpoint checkpoint() {
    return null;
  }

  void checkInvariants();

  /** How the machines of a world are made. */
  @FunctionalInterface
  interface Factory {
    ReplicaMachine create(
        ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos);

    /** Whether its processes have disks. Most canaries have no use for one. */
    default boolean comesBack() {
      return false;
    }

    /** One that comes back with what its disk has. */
    default ReplicaMachine create(
        ReplicaSettings settings,
        ServiceInstance service,
        @Nullable RestoredByTime restored,
        long seed,
        long nowNanos) {
      return create(settings, service, seed, nowNanos);
    }
  }

  /** Makes the machine that users run. */
  final class ProductionFactory implements Factory {
    @Override
    public boolean comesBack() {
      return true;
    }

    @Override
    public ReplicaMachine create(
        ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      return production(settings, service, seed, nowNanos);
    }

    @Override
    public ReplicaMachine create(
        ReplicaSettings settings,
        ServiceInstance service,
        @Nullable RestoredByTime restored,
        long seed,
        long nowNanos) {
      return new Production(new ReplicaByTime(settings, service, restored, seed, nowNanos));
    }
  }

  static ReplicaMachine production(
      ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
    return new Production(new ReplicaByTime(settings, service, seed, nowNanos));
  }

  /** The machine that users run. */
  record Production(ReplicaByTime replica) implements ReplicaMachine {
    @Override
    public List<Effect> step(Event event) {
      return replica.step(event);
    }

    @Override
    public long nextTickNanos() {
      return replica.nextTickNanos();
    }

    @Override
    public boolean isActive() {
      return replica.isActive();
    }

    @Override
    public boolean isFull() {
      return replica.isFull();
    }

    @Override
    public boolean isAhead() {
      return replica.isAhead();
    }

    @Override
    public long nowMillis() {
      return replica.nowMillis();
    }

    @Override
    public Version version() {
      return replica.version();
    }

    @Override
    public Version latest() {
      return replica.stand().version();
    }

    @Override
    public Prefix settled() {
      return replica.settled();
    }

    @Override
    public Prefix through(long epoch) {
      return replica.through(epoch);
    }

    @Override
    public Version base() {
      return replica.base();
    }

    @Override
    public long taken() {
      return replica.taken();
    }

    @Override
    public long forgottenUpdates() {
      return replica.forgottenUpdates();
    }

    @Override
    public Kept kept() {
      return replica.kept();
    }

    @Override
    public boolean hasSettled(Prefix prefix) {
      return replica.hasSettled(prefix);
    }

    @Override
    public List<Entry> unsettled() {
      return replica.unsettled();
    }

    @Override
    public long unsettledBytes() {
      return replica.unsettledBytes();
    }

    @Override
    public boolean hasExecuted(RequestId id) {
      return replica.hasExecuted(id);
    }

    @Override
    public boolean mayHaveForgotten(long client) {
      return replica.mayHaveForgotten(client);
    }

    @Override
    public @Nullable Seen seen() {
      return replica.seen();
    }

    @Override
    public boolean hasSeen(Seen seen) {
      return replica.hasSeen(seen);
    }

    @Override
    public ServiceStatus status() {
      return replica.status("simulated");
    }

    @Override
    public @Nullable Checkpoint checkpoint() {
      return replica.checkpoint();
    }

    @Override
    public void checkInvariants() {
      replica.checkInvariants();
    }
  }
}
