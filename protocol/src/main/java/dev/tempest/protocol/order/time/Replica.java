package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.ServiceStatus;
import java.util.List;

/** One replica of a service ordered by time. */
public final class Replica {
  /** A replica without state, which first asks the others of its view for theirs. */
  public Replica(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
    throw new UnsupportedOperationException("in work");
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    throw new UnsupportedOperationException("in work");
  }

  /** When the next {@link Event.Tick} is due, on the clock of the events. */
  public long nextTickNanos() {
    throw new UnsupportedOperationException("in work");
  }

  /** Whether it has state and serves. */
  public boolean isActive() {
    throw new UnsupportedOperationException("in work");
  }

  /** The state after all entries. */
  public Version version() {
    throw new UnsupportedOperationException("in work");
  }

  /** The unsettled entries in order, for checkers. */
  public List<Entry> unsettled() {
    throw new UnsupportedOperationException("in work");
  }

  /** Whether the update has been executed here. */
  public boolean hasExecuted(long client, long sequence) {
    throw new UnsupportedOperationException("in work");
  }

  /** Counts for people. */
  public ServiceStatus status(String name) {
    throw new UnsupportedOperationException("in work");
  }

  /**
   * Checks what has to hold after every step; for simulations. Throws {@link AssertionError} if it
   * does not.
   */
  public void checkInvariants() {
    throw new UnsupportedOperationException("in work");
  }
}
