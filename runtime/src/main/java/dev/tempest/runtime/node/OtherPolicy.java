package dev.tempest.runtime.node;

import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.LogLines;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.LogMessage.OfBallot;
import dev.tempest.wire.LogMessage.OfFoundation;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.ReplicaMessage;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Notices that another process hosts a service with another {@code consistency}, or with the other
 * {@code execute}: where all replicas execute, calls travel, else what was written. Of an update
 * that travels as both, one counts at some replicas and the other at others.
 *
 * <p>Not thread-safe.
 */
final class OtherPolicy {
  private static final System.Logger LOGGER = LogLines.logger(OtherPolicy.class);

  private final String service;
  private final Order order;
  private final LogLimit mismatches = new LogLimit();

  OtherPolicy(String service, Order order) {
    this.service = service;
    this.order = order;
  }

  /**
   * Logs a warning if something came that could not come from here.
   *
   * @return another {@code consistency} that a service has elsewhere, and where; null for none
   */
  @Nullable String hear(Event event) {
    if (event instanceof Event.Received(long nowNanos, var from, ReplicaMessage message)) {
      String theirs = others(message);
      if (theirs != null && mismatches.admits(nowNanos)) {
        LOGGER.log(
            Level.WARNING,
            "Service {0} is hosted with {1} here and with {2} elsewhere, as a message of {3} shows."
                + " Acknowledged updates get lost, and the replicas differ: stop it at all nodes,"
                + " and host it alike everywhere. "
                + LogLimit.OTHERS,
            service,
            own(theirs),
            theirs,
            from);
      }
      return theirs != null && theirs.startsWith("consistency") ? theirs + " at " + from : null;
    }
    return null;
  }

  /** What its sender must have configured; null if it may be the same as here. */
  private @Nullable String others(ReplicaMessage message) {
    return switch (order) {
      case Order.ByConsensus byConsensus when message instanceof OfLog said ->
          switch (said.said()) {
            case OfBallot of when isPrimary(of) != byConsensus.isByPrimary() ->
                consistency(isPrimary(of));
            case OfFoundation of when byConsensus.isByPrimary() -> consistency(false);
            default -> null;
          };
      case Order.ByConsensus byConsensus ->
          message instanceof PieceUnavailable ? null : "consistency: eventual";
      case Order.ByTime byTime when message instanceof OfLog(var id, var by, OfBallot of) ->
          consistency(isPrimary(of));
      case Order.ByTime byTime when message instanceof OfLog -> consistency(false);
      case Order.ByTime(var interval, var idle, boolean any, var adopts) ->
          message instanceof Repair repair
                  && repair.entries().stream().anyMatch(each -> isOther(each, any))
              ? execute(!any)
              : null;
    };
  }

  private String own(String theirs) {
    return switch (order) {
      case Order.ByConsensus byConsensus -> consistency(byConsensus.isByPrimary());
      case Order.ByTime byTime ->
          theirs.startsWith("consistency")
              ? "consistency: eventual"
              : execute(byTime.executesAny());
    };
  }

  private static boolean isPrimary(OfBallot said) {
    return GroupView.isOfPrimary(said.ballot());
  }

  private static String consistency(boolean isPrimary) {
    return isPrimary ? "consistency: primary-backup" : "consistency: linearizable";
  }

  private static String execute(boolean any) {
    return any ? "execute: any" : "execute: all";
  }

  private static boolean isOther(Entry entry, boolean executesAny) {
    return executesAny ? entry.body() instanceof Call : entry.body() instanceof Executed;
  }
}
