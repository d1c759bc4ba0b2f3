package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientAssembly;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Past;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the state of another replica, one piece after the other: of the settled version only what
 * differs from what is here, the client table, and the entries that have not settled.
 *
 * <p>If the giver settles more meanwhile, it begins again with what it has; if it falls silent, or
 * cannot give a piece, another one that has settled the same goes on where it stopped. Does not
 * decide whose state counts, and changes nothing here: whoever asked for it does, with the {@link
 * Snapshot}.
 */
final class StateTaker {
  /** How long to wait for a piece before asking for it again. */
  private static final long ASK_AGAIN_NANOS = 200 * ReplicaClock.NANOS_PER_MILLI;

  /**
   * How long from then on: a giver that is slow is to make few pieces twice. It grows no further,
   * or a transfer takes minutes where the network loses much.
   */
  private static final long AND_AGAIN_NANOS = 2 * ASK_AGAIN_NANOS;

  /** A giver that leaves so many questions in a row unanswered is given up. */
  private static final int GIVEN_UP = 30;

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private @Nullable Taking taking;

  /** What is being taken. */
  private static final class Taking {
    final Assembly assembly;
    final StateHashes hashes;
    final List<Entry> entries = new ArrayList<>();
    long giver;

    /** Whether others may have another state of what has settled. */
    boolean hasDiverged;

    Prefix settled;
    Past past;
    Kept kept;
    ClientAssembly clients = new ClientAssembly();

    /** When all else was there. */
    long completeStamp;

    int unanswered;
    long askAgainNanos;

    /** Who could not give a piece, since all could not. */
    final Set<Long> refusers = new TreeSet<>();

    Taking(Assembly assembly, StateHashes hashes, StateOffer offer) {
      this.assembly = assembly;
      this.hashes = hashes;
      this.giver = offer.replica();
      this.settled = offer.settled();
      this.past = offer.past();
      this.kept = offer.kept();
    }

    boolean isGivenUp() {
      return unanswered >= GIVEN_UP;
    }

    Wish wish() {
      if (!assembly.isComplete()) {
        return new Wish.OfVersion(assembly.wish());
      }
      return clients.table() == null ? clients.wish() : Wish.OfEntries.after(entries);
    }

    /** Another state is offered; what was taken of the version is not taken again. */
    void again(StateOffer offer) {
      assembly.again();
      clients = new ClientAssembly();
      settled = offer.settled();
      past = offer.past();
      goesOn(offer);
    }

    /**
     * Whether a replica has the same state. One that has closed fewer epochs may have entries in
     * the others, which would be taken for settled ones.
     */
    boolean isContinuedBy(StateOffer offer) {
      return StateGiver.isSame(settled, offer.settled())
          && offer.settled().throughEpoch() >= settled.throughEpoch();
    }

    /** Another replica goes on with the same state; each keeps other entries. */
    void goesOn(StateOffer offer) {
      giver = offer.replica();
      kept = offer.kept();
      entries.clear();
    }

    /**
     * More has settled of which nothing came: what was taken of that has another place by now, and
     * goes.
     *
     * @return whether there was any
     */
    boolean settled(Prefix later, Window window) {
      long through = settled.throughEpoch();
      if (later.throughEpoch() <= through) {
        return false;
      }
      settled = later;
      return entries.removeIf(each -> {
        long epoch = window.epochOf(each);
        return epoch > through && epoch <= later.throughEpoch();
      });
    }

    /** Whether another replica than the giver gives a piece that is the giver's, too. */
    boolean isSharedBy(StatePiece message) {
      return !(message.piece() instanceof Piece.OfEntries)
          && !hasDiverged
          && message.settled().throughEpoch() == settled.throughEpoch();
    }

    /** Whether it was the one that was asked for; false, too, if it is none of this state. */
    boolean take(Piece piece) {
      return switch (piece) {
        case Piece.OfVersion(var bytes) -> {
          boolean isNext = !assembly.isComplete() && assembly.take(bytes);
          if (isNext) {
            hashes.advance(assembly.version());
          }
          yield isNext;
        }
        case Piece.OfClients some -> assembly.isComplete() && clients.take(some);
        case Piece.OfEntries(var from, var more, boolean isLast) -> {
          boolean isNext =
              clients.table() != null
                  && from.equals(Wish.OfEntries.after(entries))
                  && StateGiver.follow(more, from);
          if (isNext) {
            entries.addAll(more);
          }
          yield isNext;
        }
      };
    }

    /**
     * What was taken, as of the latest that any giver has settled: what is in an early piece may
     * have expired by then.
     */
    Snapshot snapshot(ServiceInstance service, int epochMillis) {
      Version version =
          service.expire(assembly.version(), (settled.throughEpoch() + 1) * epochMillis);
      hashes.advance(version);
      Applied state = new Applied(version, Objects.requireNonNull(clients.table()));
      return Snapshot.of(settled, past, state, hashes, kept, entries, epochMillis);
    }
  }

  StateTaker(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      ReplicaClock clock) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.clock = clock;
  }

  /** Whether pieces are on their way. */
  boolean isTaking() {
    return taking != null && !taking.isGivenUp();
  }

  /** When there is something to do again; {@link Long#MAX_VALUE} for never. */
  long nextTickNanos() {
    return isTaking() ? Objects.requireNonNull(taking).askAgainNanos : Long.MAX_VALUE;
  }

  /**
   * Begins to take a state, or goes on: of what is offered, if it is not the same any more.
   *
   * @param hashes of what is settled here
   * @param hasDiverged whether others may have another state of what has settled
   */
  void begin(StateOffer offer, StateHashes hashes, boolean hasDiverged, List<Effect> effects) {
    Taking current = taking;
    if (current == null) {
      Assembly assembly = service.assembly(window.base(), settings.limits().pieceBytes());
      current = new Taking(assembly, hashes.copy(), offer);
      taking = current;
    } else if (current.giver != offer.replica() && current.unanswered == 0) {
      return; // One after the other.
    } else if (!current.isContinuedBy(offer)) {
      current.again(offer);
    } else if (current.giver != offer.replica()) {
      current.goesOn(offer);
    }
    current.hasDiverged = hasDiverged;
    ask(current, effects);
  }

  /**
   * Takes a piece; the state once it was the last one, else null. While all have the same state, a
   * piece of that is taken of any: on a slow network a large one comes when its giver is given up.
   */
  @Nullable Snapshot take(StatePiece message, List<Effect> effects) {
    Taking current = taking;
    if (current == null || !StateGiver.isSame(current.settled, message.settled())) {
      return null;
    }
    boolean isOfGiver = message.replica() == current.giver;
    if (!isOfGiver && !current.isSharedBy(message)) {
      return null;
    }
    boolean asksAnew = isOfGiver && current.settled(message.settled(), window);
    if (!isNext(current, message, effects)) {
      if (asksAnew) {
        ask(current, effects);
      }
      return null;
    }
    effects.add(new Effect.CameOn());
    if (message.piece() instanceof Piece.OfEntries entries && isEnough(current, entries)) {
      taking = null;
      return current.snapshot(service, settings.timing().epochs().lengthMillis());
    }
    if (message.piece() instanceof Piece.OfClients clients && clients.isLast()) {
      current.completeStamp = clock.stamp();
    }
    ask(current, effects);
    return null;
  }

  /** All that have settled; those that are written meanwhile come by gossip, without end maybe. */
  private boolean isEnough(Taking current, Piece.OfEntries piece) {
    if (piece.isLast() || piece.entries().isEmpty()) {
      return piece.isLast();
    }
    Entry last = piece.entries().getLast();
    return last.stamp() >= current.completeStamp
        && window.epochOf(last) > current.settled.throughEpoch();
  }

  /** Asks again for what has not come, or gives the giver up. */
  void tick(List<Effect> effects) {
    Taking current = taking;
    if (current != null && isTaking() && clock.nowNanos() >= current.askAgainNanos) {
      int unanswered = view.hasOther(current.giver) ? current.unanswered + 1 : GIVEN_UP;
      ask(current, effects);
      current.unanswered = unanswered;
      current.askAgainNanos = clock.nowNanos() + AND_AGAIN_NANOS;
    }
  }

  /** Whether pieces are on their way from that one. */
  boolean isTakingFrom(long giver) {
    return isTaking() && Objects.requireNonNull(taking).giver == giver;
  }

  /**
   * The giver cannot give a piece: who may go on instead. If all have refused it is asked again
   * after a while, like one that is silent, and then the others are: what hindered them may pass.
   */
  List<Long> refused() {
    Taking current = Objects.requireNonNull(taking);
    current.unanswered = Math.max(1, current.unanswered);
    current.refusers.add(current.giver);
    List<Long> rest =
        view.others().stream().filter(other -> !current.refusers.contains(other)).toList();
    if (rest.isEmpty()) {
      current.refusers.clear();
    }
    return rest;
  }

  /** Forgets what a giver that was given up has given. */
  void forgetGivenUp() {
    if (!isTaking()) {
      taking = null;
    }
  }

  private void ask(Taking current, List<Effect> effects) {
    current.unanswered = 0;
    current.askAgainNanos = clock.nowNanos() + ASK_AGAIN_NANOS;
    view.send(
        current.giver,
        new PieceRequest(settings.service(), settings.self(), current.settled, current.wish()),
        effects);
  }

  /** What cannot be read is asked for again. */
  private static boolean isNext(Taking current, StatePiece message, List<Effect> effects) {
    try {
      return current.take(message.piece());
    } catch (MalformedException malformed) {
      effects.add(
          new Effect.Hindered(
              "what %x gives of its state cannot be read: %s"
                  .formatted(message.replica(), malformed.getMessage())));
      return false;
    }
  }
}
