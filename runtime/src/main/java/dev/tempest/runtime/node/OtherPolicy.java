package dev.tempest.runtime.node;

import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.LogLimit;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.Message.Repair;
import java.lang.System.Logger.Level;

/**
 * Notices that another process hosts a service with the other {@code execute}: where all replicas
 * execute, calls travel, else what was written. Of an update that travels as both, one counts at
 * some replicas and the other at others.
 *
 * <p>Not thread-safe.
 */
final class OtherPolicy {
  private static final System.Logger LOGGER = System.getLogger(OtherPolicy.class.getName());

  private final String service;
  private final boolean executesAny;
  private final LogLimit mismatches = new LogLimit();

  OtherPolicy(String service, Order order) {
    this.service = service;
    this.executesAny =
        switch (order) {
          case Order.ByTime byTime -> byTime.executesAny();
          case Order.ByConsensus byConsensus -> false; // Nothing travels that could be mistaken.
        };
  }

  /** Logs a warning if an update came otherwise than it would go from here. */
  void hear(Event event) {
    if (event instanceof Event.Received(long nowNanos, var from, Repair(var id, var by, var some))
        && some.stream().anyMatch(this::isOther)
        && mismatches.admits(nowNanos)) {
      LOGGER.log(
          Level.WARNING,
          "Service {0} is hosted with execute: {1} here and with execute: {2} elsewhere; {3} sent"
              + " an update of the latter kind. Acknowledged updates get lost, and the replicas"
              + " differ: stop it at all nodes, and host it alike everywhere. "
              + LogLimit.OTHERS,
          service,
          executesAny ? "any" : "all",
          executesAny ? "all" : "any",
          from);
    }
  }

  private boolean isOther(Entry entry) {
    return executesAny ? entry.body() instanceof Call : entry.body() instanceof Executed;
  }
}
