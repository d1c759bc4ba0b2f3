package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.ClientTable;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Mix;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Version;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.Bytes;
import dev.tempest.values.MalformedException;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.Snapshot;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateTransfer;
import dev.tempest.wire.Message.StateUnavailable;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Brings replicas together that have settled different things: gives whole states and takes them,
 * so that nothing gets lost that counted anywhere.
 *
 * <p>A replica that is behind takes the state of one that is further. Of two that have grown apart,
 * each having settled what the other lacks, the one with fewer entries takes the state of the other
 * (of equally many, the one with the higher id). Whoever takes a state puts its own unsettled
 * entries in again, same ids; and if the two had grown apart, also what its settled state had and
 * the other lacks, as one change that comes before everything unsettled.
 */
final class Reunion {
  /** The largest state that a transfer carries. */
  static final int STATE_BYTES_MAX = 200 << 20;

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final Writes writes;
  private final ReplicaClock clock;

  /** Who is known to have all that is settled here. */
  private final TreeSet<Long> shared = new TreeSet<>();

  private long askAgainNanos;
  private long offerAgainNanos;

  Reunion(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      Writes writes,
      ReplicaClock clock) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.writes = writes;
    this.clock = clock;
    this.askAgainNanos = clock.nowNanos();
    this.offerAgainNanos = clock.nowNanos();
  }

  /** Another replica has the very same settled. */
  void shares(long other) {
    shared.add(other);
  }

  /** Settles what all others have agreed to, or one of them has settled as well. */
  void settle(long throughEpoch, List<Long> agreed) {
    long countBefore = window.settled().count();
    window.settle(throughEpoch);
    if (window.settled().count() != countBefore) {
      shared.clear();
      shared.addAll(agreed);
    }
  }

  /** Answers a request for the state; tools ask too, and are no members. */
  void requested(Address from, boolean active, List<Effect> effects) {
    effects.add(
        new Effect.Send(
            from, active ? transfer() : new StateUnavailable(settings.service(), settings.self())));
  }

  /** Asks another replica for its state, but not again and again while it may be on its way. */
  void ask(long other, List<Effect> effects) {
    if (clock.nowNanos() >= askAgainNanos) {
      askAgainNanos = clock.nowNanos() + Joining.ASK_AGAIN_MILLIS * ReplicaClock.NANOS_PER_MILLI;
      view.send(other, new StateRequest(settings.service(), settings.self()), effects);
    }
  }

  /** Whether it is this replica that takes the other's state, if the two have grown apart. */
  boolean yieldsTo(long other, Prefix theirs) {
    long ours = window.settled().count();
    return ours != theirs.count() ? ours < theirs.count() : settings.self() > other;
  }

  /**
   * Takes the state of another replica in, if that is how the two come together, or else offers its
   * own.
   */
  void take(long other, Snapshot theirs, List<Effect> effects) {
    Prefix ours = window.settled();
    Prefix settled = theirs.settled();
    if (settled.throughEpoch() <= ours.throughEpoch()
        && window.history().leadsThrough(ours, settled)) {
      return; // The other one is behind, or where this one is.
    }
    if (settled.throughEpoch() > ours.throughEpoch()
        && window.through(settled.throughEpoch()).equals(settled)) {
      return; // Its next digest says that it has settled.
    }
    boolean behind =
        settled.throughEpoch() >= ours.throughEpoch()
            && (shared.contains(other) || History.leadsThrough(theirs.history(), settled, ours));
    if (behind || yieldsTo(other, settled)) {
      install(other, theirs, !behind);
    } else if (clock.nowNanos() >= offerAgainNanos) {
      offerAgainNanos = clock.nowNanos() + Joining.ASK_AGAIN_MILLIS * ReplicaClock.NANOS_PER_MILLI;
      view.send(other, transfer(), effects);
    }
  }

  /**
   * Takes a state in place of the own one.
   *
   * @param apart whether the own settled state may have what the other lacks
   * @return false if it is no state of this service: as if it had not arrived
   */
  boolean install(long other, Snapshot theirs, boolean apart) {
    Version version;
    try {
      version = service.readVersion(theirs.version().reader());
    } catch (MalformedException malformed) {
      return false;
    }
    Version ours = window.base();
    Prefix settledHere = window.settled();
    List<Entry> own = window.entries();
    window.restart(version, theirs.settled(), theirs.history(), ClientTable.of(theirs.clients()));
    shared.clear();
    shared.add(other);
    window.insert(theirs.unsettled());
    List<Entry> again = new ArrayList<>();
    long stamp = clock.firstUnsettledStamp();
    if (apart && settledHere.count() > 0) {
      Bytes lacking = service.lacking(version, ours, new ByteWriter(STATE_BYTES_MAX));
      if (lacking.size() > 0) {
        // Whoever had settled the same and takes the same puts the same in: it has to count once.
        RequestId id = idOf(settledHere, theirs.settled());
        again.add(new Entry(id, stamp++, new Change(lacking)));
      }
    }
    for (Entry entry : own) {
      // What settled without it gets a new stamp, the others keep theirs and so their place.
      boolean late = window.epochOf(entry) <= theirs.settled().throughEpoch();
      if (!window.contains(entry.id())) {
        again.add(late ? new Entry(entry.id(), stamp++, entry.body()) : entry);
      }
    }
    window.insert(again);
    again.forEach(writes::spread);
    return true;
  }

  /** Of what the first has and the second lacks: of different changes the ids differ, too. */
  private static RequestId idOf(Prefix ours, Prefix theirs) {
    long client = Mix.hash(Mix.hash(ours.hash(), ours.count()), theirs.hash() + theirs.count());
    return new RequestId(client, Math.max(1, ours.count()));
  }

  private StateTransfer transfer() {
    ByteWriter writer = new ByteWriter(STATE_BYTES_MAX);
    service.writeVersion(window.base(), writer);
    Snapshot snapshot =
        new Snapshot(
            window.settled(),
            window.history().prefixes(),
            writer.toBytes(),
            window.clients().records(),
            window.entries());
    return new StateTransfer(settings.service(), settings.self(), snapshot);
  }
}
