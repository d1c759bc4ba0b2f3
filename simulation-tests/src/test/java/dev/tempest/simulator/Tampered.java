package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A production replica whose inputs and outputs somebody tampers with. */
abstract class Tampered implements ReplicaMachine {
  final ReplicaMachine real;

  Tampered(ReplicaMachine real) {
    this.real = real;
  }

  @Override
  public List<Effect> step(Event event) {
    return real.step(event);
  }

  @Override
  public long nextTickNanos() {
    return real.nextTickNanos();
  }

  @Override
  public boolean isActive() {
    return real.isActive();
  }

  @Override
  public boolean isFull() {
    return real.isFull();
  }

  @Override
  public boolean isAhead() {
    return real.isAhead();
  }

  @Override
  public long nowMillis() {
    return real.nowMillis();
  }

  @Override
  public Version version() {
    return real.version();
  }

  @Override
  public Version latest() {
    return real.latest();
  }

  @Override
  public Prefix settled() {
    return real.settled();
  }

  @Override
  public long forgottenUpdates() {
    return real.forgottenUpdates();
  }

  @Override
  public Kept kept() {
    return real.kept();
  }

  @Override
  public Prefix through(long epoch) {
    return real.through(epoch);
  }

  @Override
  public Version base() {
    return real.base();
  }

  @Override
  public long taken() {
    return real.taken();
  }

  @Override
  public boolean hasSettled(Prefix prefix) {
    return real.hasSettled(prefix);
  }

  @Override
  public List<Entry> unsettled() {
    return real.unsettled();
  }

  @Override
  public long unsettledBytes() {
    return real.unsettledBytes();
  }

  @Override
  public boolean hasExecuted(RequestId id) {
    return real.hasExecuted(id);
  }

  @Override
  public boolean mayHaveForgotten(long client) {
    return real.mayHaveForgotten(client);
  }

  @Override
  public @Nullable Seen seen() {
    return real.seen();
  }

  @Override
  public boolean hasSeen(Seen seen) {
    return real.hasSeen(seen);
  }

  @Override
  public ServiceStatus status() {
    return real.status();
  }

  @Override
  public @Nullable Checkpoint checkpoint() {
    return real.checkpoint();
  }

  @Override
  public void checkInvariants() {
    real.checkInvariants();
  }
}
