package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.OfLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica has stored so that its next life goes on with it.
 *
 * <p>While no member is missing, an adaptive one says what binds it before that is on the disk: the
 * machine keeps it when processes end, and if one machine loses its power, the others have it. Once
 * somebody is missing, all that was said is synced, and what comes next before it is said.
 *
 * <p>Not thread-safe.
 */
final class Storing {
  /**
   * All are there if nobody was missing for so many elections: a new leader takes one to miss
   * somebody, and to change costs a few syncs.
   */
  private static final int THERE_ELECTIONS = 3;

  /** Fewer would stand still for good once one has lost its power. */
  private static final int MEMBERS_MIN = 3;

  private final Placement placement;
  private final View view;
  private final ServiceInstance service;
  private final int pieceBytes;
  private final LogSettings settings;

  /** When somebody was missing, as far as anybody has said. */
  private long missedNanos;

  private long sayNanos;

  private boolean syncs = true;

  /** The state in place of the log before it, until that is stored; null for none. */
  private @Nullable Checkpoint unstored;

  Storing(
      Placement placement,
      View view,
      ServiceInstance service,
      int pieceBytes,
      LogSettings settings,
      long nowNanos) {
    this.placement = placement;
    this.view = view;
    this.service = service;
    this.pieceBytes = pieceBytes;
    this.settings = settings;
    this.missedNanos = nowNanos;
  }

  /** Looks who is there. */
  void look(Agreement log, long nowNanos, List<Effect> effects) {
    if (settings.order().log() != Order.ByConsensus.Log.ADAPTIVE) {
      return;
    }
    if (!view.all().containsAll(log.members()) || !log.hearsAll(nowNanos)) {
      missed(nowNanos);
      say(nowNanos, effects);
    }
    if (log.members().size() < MEMBERS_MIN) {
      missed(nowNanos);
    }
    boolean areThere = nowNanos - missedNanos > THERE_ELECTIONS * log.electionNanos();
    if (areThere == syncs) {
      syncs = !areThere;
      effects.add(new Effect.Persist(null, List.of(), syncs, List.of()));
    }
  }

  /** Somebody is missing. */
  void missed(long nowNanos) {
    missedNanos = nowNanos;
  }

  /** A leader hears of a loss of power long before the view changes, and those it leads do not. */
  private void say(long nowNanos, List<Effect> effects) {
    if (nowNanos >= sayNanos) {
      sayNanos = nowNanos + settings.group().heartbeatNanos();
      OfLog misses = new OfLog(placement.service(), placement.self(), new LogMessage.Misses());
      view.others().forEach(other -> view.send(other, misses, effects));
    }
  }

  /** A state, with which a log can begin. */
  Checkpoint checkpoint(LogState state) {
    return new CheckpointByConsensus(placement.service(), view.self(), service, state, pieceBytes);
  }

  /** The log begins with this state from now on. */
  void installed(LogState state) {
    unstored = checkpoint(state);
  }

  /** Has stored what is said then. */
  void add(Agreement.Effect.Vow vow, OfLog message, List<Effect> effects) {
    Address to = view.address(vow.to());
    List<Effect.Send> sends = to == null ? List.of() : List.of(new Effect.Send(to, message));
    effects.add(new Effect.Persist(unstored, vow.stored(), syncs, sends));
    unstored = null;
  }
}
