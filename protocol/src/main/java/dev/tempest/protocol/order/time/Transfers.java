package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.time.Merger.Decision;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateUnavailable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How whole states travel: a replica without one joins by the state of another, one that is behind
 * or has diverged takes the other's, and every one gives its own.
 */
final class Transfers {
  private static final String UNANSWERED =
      "no member that may have it answers. It starts without any once all of them say that they"
          + " have none, or are members no more";

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private final Merger merger;
  private final Divergence divergence;
  private final Reconciliations reconciliations;
  private final StateGiver giver;
  private final StateTaker taker;
  private @Nullable Joining joining;
  private long taken;
  private long askAgainNanos;

  Transfers(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      ReplicaClock clock,
      Merger merger,
      Divergence divergence,
      Reconciliations reconciliations) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.clock = clock;
    this.merger = merger;
    this.divergence = divergence;
    this.reconciliations = reconciliations;
    this.giver = new StateGiver(settings, service, view, window, clock);
    this.taker = new StateTaker(settings, service, view, window, clock);
    this.askAgainNanos = clock.nowNanos();
    this.joining = view.others().isEmpty() ? null : new Joining(view.others(), clock.nowNanos());
  }

  /** Whether this replica has no state yet. */
  boolean isJoining() {
    return joining != null;
  }

  /** How many states were taken. */
  long taken() {
    return taken;
  }

  /** When there is something to do again; {@link Long#MAX_VALUE} for never. */
  long nextTickNanos() {
    return joining == null || taker.isTaking() ? taker.nextTickNanos() : joining.nextTickNanos();
  }

  /** Begins to join, or to join once more: others may have state. */
  void join(List<Effect> effects) {
    Joining before = joining;
    joining = new Joining(view.others(), clock.nowNanos());
    if (before != null) {
      joining.remember(before);
    }
    tick(effects);
  }

  /** Does what is due. */
  void tick(List<Effect> effects) {
    taker.tick(effects);
    Joining join = joining;
    if (join == null) {
      taker.forgetGivenUp();
    } else if (join.startsEmpty(clock.nowNanos())) {
      joining = null;
      taker.forgetGivenUp();
    } else if (!taker.isTaking() && join.asksNow(clock.nowNanos())) {
      request(join.ask(clock.nowNanos()), effects);
      if (join.isHindered()) {
        effects.add(new Effect.Hindered(UNANSWERED));
      }
    }
  }

  /** Asks another replica for its state, but not again and again while it may be on its way. */
  void ask(long other, List<Effect> effects) {
    if (!taker.isTaking() && clock.nowNanos() >= askAgainNanos) {
      askAgainNanos = clock.nowNanos() + Joining.ASK_AGAIN_MILLIS * ReplicaClock.NANOS_PER_MILLI;
      request(other, effects);
    }
  }

  /** Takes what another replica says of states; false if it says something else. */
  boolean take(ReplicaMessage message, List<Effect> effects) {
    long other = message.replica();
    switch (message) {
      case StateRequest request -> giver.asked(other, joining == null, effects);
      case PieceRequest request -> giver.asked(request, joining == null, effects);
      case StateOffer offer -> offered(offer, effects);
      case StatePiece piece -> take(piece, effects);
      case PieceUnavailable(long service, long replica, String reason) -> {
        if (taker.giveUp(replica)) {
          effects.add(
              new Effect.Hindered("%x cannot give its state: %s".formatted(replica, reason)));
        }
      }
      case StateUnavailable unavailable -> {
        if (joining != null) {
          joining.hasNone(other, clock.nowNanos());
          tick(effects);
        }
      }
      default -> {
        if (joining != null) {
          joining.hasState(other, clock.nowNanos());
        }
        return false;
      }
    }
    return true;
  }

  private void request(long other, List<Effect> effects) {
    view.send(other, new StateRequest(settings.service(), settings.self()), effects);
  }

  private void offered(StateOffer offer, List<Effect> effects) {
    long other = offer.replica();
    if (joining != null) {
      joining.hasState(other, clock.nowNanos());
    }
    boolean wanted = joining != null || divergence.awaits(other);
    switch (wanted ? Decision.TAKE : merger.decide(other, offer.settled(), offer.history())) {
      case NOTHING -> {}
      case GIVE -> giver.offer(other, effects);
      case TAKE, TAKE_APART -> taker.begin(offer, divergence.hashes(), effects);
    }
  }

  private void take(StatePiece piece, List<Effect> effects) {
    Snapshot theirs = taker.take(piece, effects);
    if (theirs == null) {
      return;
    }
    long other = piece.replica();
    if (joining != null || divergence.takes(other, theirs)) {
      install(other, theirs, false);
      joining = null;
      return;
    }
    long before = window.through(Long.MAX_VALUE).count();
    Version earlier = window.version();
    switch (merger.decide(other, theirs.settled(), theirs.history())) {
      case NOTHING -> {}
      case GIVE -> giver.offer(other, effects);
      case TAKE -> install(other, theirs, false);
      case TAKE_APART -> install(other, theirs, true);
    }
    long more = window.through(Long.MAX_VALUE).count() - before;
    if (more > 0) {
      reconciliations.late(more, earlier);
    }
  }

  private void install(long other, Snapshot theirs, boolean apart) {
    merger.install(other, theirs, apart);
    divergence.installed(theirs.hashes());
    taken++;
  }
}
