package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.List;

/**
 * Takes the entries that another replica has not settled yet. This one needs no more of its state:
 * it has settled all that the other has, and comes back from a checkpoint.
 */
final class EntriesTaker {
  /** A giver that says nothing for so long is given up. */
  private static final long PATIENCE_NANOS = 1_000 * ReplicaClock.NANOS_PER_MILLI;

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private long giver;
  private Prefix settled = new Prefix(-1, 0, 0);
  private long heardNanos;
  private Wish.OfEntries after = Wish.OfEntries.ALL;

  /** Those that are written meanwhile come by gossip: there might be no end of them. */
  private long lastStamp;

  EntriesTaker(ReplicaSettings settings, View view, Window window, ReplicaClock clock) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.clock = clock;
  }

  /**
   * Asks for the first ones, or for the next ones of the same replica. As long as that one answers,
   * others offer in vain: to begin anew with each of them has no end where there are many.
   */
  void ask(StateOffer offer, List<Effect> effects) {
    boolean isGiving = view.hasOther(giver) && clock.nowNanos() - heardNanos < PATIENCE_NANOS;
    if (offer.replica() == giver) {
      hear(offer.settled());
    } else if (!isGiving) {
      giver = offer.replica();
      after = StateGiver.afterSettled(offer.settled(), settings.timing().epochs().lengthMillis());
      lastStamp = clock.stamp();
      hear(offer.settled());
    }
    ask(effects);
  }

  private void hear(Prefix theirs) {
    settled = theirs;
    heardNanos = clock.nowNanos();
  }

  private void ask(List<Effect> effects) {
    var request = new PieceRequest(settings.service(), settings.self(), settled, after);
    view.send(giver, request, effects);
  }

  /** Takes what was asked for; whether that was all. */
  boolean take(StatePiece piece, List<Effect> effects) {
    if (piece.replica() != giver
        || !(piece.piece() instanceof Piece.OfEntries some)
        || !some.after().equals(after)) {
      return false;
    }
    List<Entry> entries = some.entries();
    window.insert(entries);
    effects.add(new Effect.CameOn());
    if (some.isLast() || entries.isEmpty() || entries.getLast().stamp() >= lastStamp) {
      return true;
    }
    after = Wish.OfEntries.after(entries);
    hear(piece.settled());
    ask(effects);
    return false;
  }
}
