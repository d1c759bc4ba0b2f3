package dev.tempest.runtime;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.time.Replica;
import dev.tempest.wire.Message.ServiceStatus;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * One replica on one server. A bug in it stops it, and only it: its state can no longer be trusted.
 *
 * <p>Owned by the event loop.
 */
final class Hosted {
  private static final System.Logger LOGGER = System.getLogger(Hosted.class.getName());

  private final String name;
  private final Replica replica;
  private boolean stopped;

  Hosted(String name, Replica replica) {
    this.name = name;
    this.replica = replica;
  }

  String name() {
    return name;
  }

  /** Lets the replica act; nothing once it is stopped. */
  List<Effect> step(Event event) {
    if (stopped) {
      return List.of();
    }
    try {
      return replica.step(event);
    } catch (RuntimeException | StackOverflowError | AssertionError bug) {
      stopped = true;
      LOGGER.log(
          Level.ERROR,
          "The replica of "
              + name
              + " on this server stops because of a bug; the other replicas go on. Restart this"
              + " server to let it take their state, and report what follows",
          bug);
      return List.of();
    }
  }

  long nextTickNanos() {
    return stopped ? Long.MAX_VALUE : replica.nextTickNanos();
  }

  boolean isActive() {
    return !stopped && replica.isActive();
  }

  ServiceStatus status() {
    ServiceStatus status = replica.status(name);
    return stopped
        ? new ServiceStatus(
            name,
            false,
            status.executed(),
            status.hash(),
            status.settledEpoch(),
            status.unsettled(),
            status.late(),
            status.rerun(),
            status.repaired(),
            status.reads())
        : status;
  }
}
