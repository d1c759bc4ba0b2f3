package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stand;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A replica of a group that agrees, with whose inputs and outputs somebody tampers. */
abstract class TamperedByConsensus implements Replica {
  final Replica real;

  TamperedByConsensus(Replica real) {
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
  public Version version() {
    return real.version();
  }

  @Override
  public Stand stand() {
    return real.stand();
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
  public boolean isFull() {
    return real.isFull();
  }

  @Override
  public boolean isAhead() {
    return real.isAhead();
  }

  @Override
  public boolean isHandedOver() {
    return real.isHandedOver();
  }

  @Override
  public long nowMillis() {
    return real.nowMillis();
  }

  @Override
  public long reconciled() {
    return real.reconciled();
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
  public @Nullable Checkpoint checkpoint() {
    return real.checkpoint();
  }

  @Override
  public ServiceStatus status(String name) {
    return real.status(name);
  }

  @Override
  public void checkInvariants() {
    real.checkInvariants();
  }
}
