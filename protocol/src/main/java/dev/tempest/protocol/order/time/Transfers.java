package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.View;
import dev.tempest.protocol.order.time.Merger.Decision;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateUnavailable;
import dev.tempest.wire.Past;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How whole states travel: a replica that joins takes the state of another, of which only what it
 * lacks travels; so does one that is behind or has diverged; and every one gives its own.
 */
final class Transfers {
  /** Longer than others take to say what they have, unless messages are lost. */
  private static final long UNSURE_NANOS = 2_000 * ReplicaClock.NANOS_PER_MILLI;

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private final Merger merger;
  private final Divergence divergence;
  private final Reconciliations reconciliations;
  private final StateGiver giver;
  private final StateTaker taker;
  private final EntriesTaker entriesTaker;

  /** How many replicas shared the checkpoint that was read. */
  private final int replicas;

  private final long startNanos;
  private @Nullable Joining joining;

  /** Those of which this replica cannot know whether it is behind them, while others may tell. */
  private final TreeSet<Long> unsure = new TreeSet<>();

  private long unsureUntilNanos;
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
      Reconciliations reconciliations,
      int replicas) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.clock = clock;
    this.merger = merger;
    this.divergence = divergence;
    this.reconciliations = reconciliations;
    this.giver = new StateGiver(settings, service, view, window, merger, clock);
    this.taker = new StateTaker(settings, service, view, window, clock);
    this.entriesTaker = new EntriesTaker(settings, view, window, clock);
    this.askAgainNanos = clock.nowNanos();
    this.replicas = replicas;
    this.startNanos = clock.nowNanos();
    this.joining = view.others().isEmpty() && replicas == 1 ? null : joining();
  }

  private Joining joining() {
    long untilNanos = startNanos + Joining.BACK_MILLIS * ReplicaClock.NANOS_PER_MILLI;
    Joining.Own own = new Joining.Own(settings.self(), replicas, untilNanos);
    return new Joining(own, view.others(), clock.nowNanos());
  }

  /** Whether this replica does not serve yet: others may have more than it. */
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
    joining = joining();
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
    } else if (join.begins(StateGiver.held(window), clock.nowNanos())) {
      joining = null;
      taker.forgetGivenUp();
    } else if (!taker.isTaking() && join.asksNow(clock.nowNanos())) {
      request(join.ask(clock.nowNanos()), effects);
      String hindrance = join.hindrance();
      if (hindrance != null) {
        effects.add(new Effect.Hindered(hindrance));
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
        if (taker.isTakingFrom(replica)) {
          effects.add(
              new Effect.Hindered("%x cannot give its state: %s".formatted(replica, reason)));
          taker.refused().forEach(another -> request(another, effects));
        }
      }
      case StateUnavailable(long service, long replica, Prefix held) -> {
        if (joining != null) {
          joining.hasNone(other, held, clock.nowNanos());
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
    Decision decision =
        divergence.awaits(other)
            ? Decision.TAKE_DIVERGED
            : decide(other, offer.settled(), offer.past(), offer.kept());
    boolean isApart = decision == Decision.TAKE_APART || decision == Decision.GIVE;
    if (isApart && asksOthers(offer, effects)) {
      return;
    }
    switch (decision) {
      case NOTHING -> {
        if (joining != null) {
          entriesTaker.ask(offer, effects);
        }
      }
      case GIVE -> {
        joining = null;
        giver.offer(other, effects);
      }
      case TAKE, TAKE_APART -> taker.begin(offer, divergence.hashes(), false, effects);
      case TAKE_DIVERGED -> taker.begin(offer, divergence.hashes(), true, effects);
    }
  }

  /**
   * Where it cannot know whether it is behind, it asks the others first, all of them: to one of
   * them it may have shown what it has. To take what is behind for grown apart would bring back
   * what was removed.
   */
  private boolean asksOthers(StateOffer offer, List<Effect> effects) {
    long nowNanos = clock.nowNanos();
    if (!merger.isUnsure(offer.replica(), offer.settled(), offer.past())) {
      return false;
    }
    if (nowNanos >= unsureUntilNanos + UNSURE_NANOS) {
      unsure.clear(); // That was another time.
    }
    if (unsure.isEmpty()) {
      unsureUntilNanos = nowNanos + UNSURE_NANOS;
    }
    if (nowNanos >= unsureUntilNanos) {
      return false;
    }
    unsure.add(offer.replica());
    view.others().stream()
        .filter(other -> !unsure.contains(other))
        .forEach(other -> request(other, effects));
    return true;
  }

  private void take(StatePiece piece, List<Effect> effects) {
    if (joining != null && !taker.isTaking()) {
      joining = entriesTaker.take(piece, effects) ? null : joining;
      return;
    }
    Snapshot theirs = taker.take(piece, effects);
    if (theirs == null) {
      return;
    }
    long other = piece.replica();
    boolean isJoining = joining != null;
    long before = window.through(Long.MAX_VALUE).count();
    Version earlier = isJoining ? window.base() : window.version();
    Decision decision =
        divergence.takes(other, theirs)
            ? Decision.TAKE_DIVERGED
            : decide(other, theirs.settled(), theirs.past(), theirs.kept());
    List<RequestId> givenUp =
        switch (decision) {
          case NOTHING -> List.of();
          case GIVE -> {
            giver.offer(other, effects);
            yield List.of();
          }
          case TAKE, TAKE_APART, TAKE_DIVERGED -> install(other, theirs, decision, effects);
        };
    joining = null;
    long more = Math.max(0, window.through(Long.MAX_VALUE).count() - before);
    if (isJoining ? !givenUp.isEmpty() : more + givenUp.size() > 0) {
      reconciliations.late(more, givenUp, earlier);
    }
  }

  /**
   * Decides whose state counts. Whoever joins also takes what would come to it sooner or later: it
   * is to begin with all of it.
   */
  private Decision decide(long other, Prefix settled, Past past, Kept kept) {
    Decision decision = merger.decide(other, settled, past, kept);
    boolean hasAll = settled.count() >= window.settled().count();
    return decision == Decision.NOTHING && joining != null && hasAll ? Decision.TAKE : decision;
  }

  private List<RequestId> install(long other, Snapshot theirs, Decision how, List<Effect> effects) {
    List<RequestId> givenUp = merger.install(other, theirs, how, effects);
    divergence.installed(theirs.hashes());
    unsure.clear();
    taken++;
    return givenUp;
  }
}
