package dev.tempest.runtime;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Replica;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.Message.StateTransfer;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One replica on one server. A bug in it stops it, and only it: its state can no longer be trusted.
 *
 * <p>Owned by the event loop.
 */
final class Hosted {
  private static final System.Logger LOGGER = System.getLogger(Hosted.class.getName());
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long UNDECLARED_EVERY_NANOS = 10_000 * NANOS_PER_MILLI;

  private final String name;
  private final ServiceInstance service;
  private final Replica replica;
  private @Nullable Long joinedFrom;
  private long joinedWith;
  private boolean stopped;

  /** When an exception that a method does not declare was logged last; the epoch for never. */
  private long undeclaredLoggedNanos;

  Hosted(String name, ServiceInstance service, Replica replica) {
    this.name = name;
    this.service = service;
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
    boolean joining = !replica.isActive();
    try {
      List<Effect> effects = replica.step(event);
      logUndeclared(event.nowNanos());
      if (joining && replica.isActive()) {
        joined(event);
      }
      return effects;
    } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError bug) {
      stopped = true;
      LOGGER.log(
          Level.ERROR,
          "The replica of "
              + name
              + " on this server stops because of a bug in it or in the service. Restart this"
              + " server to let it take their state, and report what follows",
          bug);
      return List.of();
    }
  }

  /** Of those that come in a row one is logged: a bug in a service may throw with every request. */
  private void logUndeclared(long nowNanos) {
    ServiceInstance.Thrown thrown = service.takeUndeclared();
    if (thrown != null && nowNanos - undeclaredLoggedNanos >= UNDECLARED_EVERY_NANOS) {
      undeclaredLoggedNanos = nowNanos;
      LOGGER.log(
          Level.WARNING,
          "%s of service %s throws what its interface does not declare; nothing it wrote was kept."
                  .formatted(thrown.method(), name)
              + " The next one is logged in 10 s at the earliest",
          thrown.exception());
    }
  }

  /** Says that the replica had another state than the same updates gave elsewhere. */
  void diverged(Effect.Diverged diverged) {
    LOGGER.log(
        Level.WARNING,
        "Service {0} is not deterministic: the same updates have led to other contents of {1} here"
            + " than at {2}, whose state this server takes. Let the service take time and random"
            + " numbers from the action only, and nothing from its process",
        name,
        String.join(", ", diverged.objects()),
        diverged.other());
  }

  /** Tells the service what gossip has changed. */
  void reconciled(Reconciliation what, long nowNanos) {
    Throwable thrown = service.reconciled(replica.version(), what, nowNanos / NANOS_PER_MILLI);
    if (thrown != null) {
      LOGGER.log(
          Level.WARNING,
          "Service " + name + " throws where it is told of a reconciliation; it goes on",
          thrown);
    }
  }

  private void joined(Event event) {
    joinedWith = replica.status(name).executed();
    if (event instanceof Event.Received(long now, Address from, StateTransfer transfer)) {
      joinedFrom = transfer.replica();
    }
  }

  /**
   * How it came to its state.
   *
   * @param servers the names of all servers by id
   */
  Joined joined(Map<Long, String> servers) {
    return new Joined(name, joinedFrom == null ? null : servers.get(joinedFrom), joinedWith);
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
            status.reads(),
            status.diverged())
        : status;
  }
}
