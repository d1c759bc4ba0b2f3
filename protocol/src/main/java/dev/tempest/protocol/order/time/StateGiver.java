package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.UserCode;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Message.StateUnavailable;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gives the state to replicas that ask for it, piece by piece. Remembers none of them: any replica
 * that has settled the same can give the next piece.
 *
 * <p>Does not decide whose state counts, and takes none.
 */
final class StateGiver {
  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final Merger merger;
  private final ReplicaClock clock;
  private long offerAgainNanos;

  StateGiver(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      Merger merger,
      ReplicaClock clock) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.merger = merger;
    this.clock = clock;
    this.offerAgainNanos = clock.nowNanos();
  }

  /** Tells another replica what there is. */
  void asked(long other, boolean active, List<Effect> effects) {
    view.send(other, active ? offer() : unavailable(), effects);
  }

  /** Gives a piece, or says what there is by now. */
  void asked(PieceRequest request, boolean active, List<Effect> effects) {
    long other = request.replica();
    Prefix settled = window.settled();
    if (!active || !isSame(settled, request.settled())) {
      asked(other, active, effects);
      return;
    }
    switch (request.wish()) {
      case Wish.OfVersion(Bytes wish) -> {
        Version version = window.base();
        give(other, settled, () -> ofVersion(settings, service, version, wish), effects);
      }
      case Wish.OfClients(long from) -> {
        ClientTable clients = window.clients();
        give(other, settled, () -> ofClients(settings, clients, from), effects);
      }
      case Wish.OfEntries after -> view.send(other, piece(settled, ofEntries(after)), effects);
    }
  }

  /** Tells another replica that has not asked for it, now and then. */
  void offer(long other, List<Effect> effects) {
    if (clock.nowNanos() >= offerAgainNanos) {
      offerAgainNanos = clock.nowNanos() + Joining.ASK_AGAIN_MILLIS * ReplicaClock.NANOS_PER_MILLI;
      view.send(other, offer(), effects);
    }
  }

  /** Whether two replicas have settled the same entries; the one may have closed more epochs. */
  static boolean isSame(Prefix one, Prefix other) {
    return one.count() == other.count() && one.hash() == other.hash();
  }

  private StateUnavailable unavailable() {
    return new StateUnavailable(settings.service(), settings.self(), held(window));
  }

  /** All that a replica has, settled or not. */
  static Prefix held(Window window) {
    return window.epochs().isEmpty() ? window.settled() : window.through(window.epochs().lastKey());
  }

  private StateOffer offer() {
    return new StateOffer(
        settings.service(), settings.self(), window.settled(), merger.past(), merger.kept());
  }

  /** Whatever is wrong with one piece, the giver goes on. */
  private void give(long other, Prefix settled, Supplier<Piece> piece, List<Effect> effects) {
    Address to = view.address(other);
    if (to != null) {
      effects.add(new Effect.Make(to, () -> message(settled, piece)));
    }
  }

  private Message message(Prefix settled, Supplier<Piece> made) {
    try {
      return piece(settled, made.get());
    } catch (Throwable failed) {
      UserCode.rethrowIfFatal(failed);
      return new PieceUnavailable(settings.service(), settings.self(), UserCode.describe(failed));
    }
  }

  private StatePiece piece(Prefix settled, Piece piece) {
    return new StatePiece(settings.service(), settings.self(), settled, piece);
  }

  static Piece.OfVersion ofVersion(
      ReplicaSettings settings, ServiceInstance service, Version version, Bytes wish) {
    return new Piece.OfVersion(service.piece(version, wish, settings.limits().pieceBytes()));
  }

  static Piece.OfClients ofClients(ReplicaSettings settings, ClientTable clients, long from) {
    ClientTable.Page page = clients.page(from, settings.limits().pieceBytes());
    return new Piece.OfClients(
        from, page.records(), page.nextFrom(), clients.youngSince(), clients.forgottenBefore());
  }

  private Piece ofEntries(Wish.OfEntries after) {
    List<Entry> entries = new ArrayList<>();
    long sizeBytes = 0;
    for (Entry entry : merger.keptEntriesAfter(after)) {
      if (sizeBytes >= settings.limits().pieceBytes()) {
        return new Piece.OfEntries(after, entries, false);
      }
      entries.add(entry);
      sizeBytes += Writes.sizeBytes(entry);
    }
    long from = Stamp.millis(after.stamp()) / settings.timing().epochs().lengthMillis();
    for (Epoch epoch : window.epochs().tailMap(from, true).values()) {
      for (LogEntry each : epoch.entries()) {
        if (sizeBytes >= settings.limits().pieceBytes()) {
          return new Piece.OfEntries(after, entries, false);
        }
        if (comesAfter(each.entry, after)) {
          entries.add(each.entry);
          sizeBytes += Writes.sizeBytes(each.entry);
        }
      }
    }
    return new Piece.OfEntries(after, entries, true);
  }

  /** Whether some entries, in order, come after another one. */
  static boolean follow(List<Entry> entries, Wish.OfEntries after) {
    return entries.isEmpty() || comesAfter(entries.getFirst(), after);
  }

  /** To ask for the entries that have not settled only. */
  static Wish.OfEntries afterSettled(Prefix settled, int epochMillis) {
    long firstMillis = (settled.throughEpoch() + 1) * epochMillis;
    return new Wish.OfEntries(Stamp.atMillis(firstMillis), Wish.OfEntries.ALL.id());
  }

  private static boolean comesAfter(Entry entry, Wish.OfEntries after) {
    return entry.stamp() != after.stamp()
        ? entry.stamp() > after.stamp()
        : entry.id().compareTo(after.id()) > 0;
  }
}
