package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.Entry;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.Ack;
import dev.tempest.wire.Message.AckRequest;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Waits of this process until other replicas have what it wrote: asks them right behind the write,
 * and again, with the write, while they do not say so. Once the write has been settled here for as
 * long as writers are remembered, those who agree on what is settled count, too: one that took long
 * to join may have settled it and forgotten its writer at once, and never says that it has it.
 *
 * <p>Guarantees that every replica it counts had the write in memory when it said so, or agreed,
 * and has been in the view ever since. What a replica said is not carried over to its next life,
 * which has another id, nor beyond its absence. Not thread-safe.
 */
final class AckWaits {
  private static final long NEVER = Long.MAX_VALUE;

  /** The first time; each further one takes twice as long. */
  private static final long ASK_AGAIN_NANOS = 50 * ReplicaClock.NANOS_PER_MILLI;

  private static final int DOUBLINGS_MAX = 4;

  /** What is sent again; larger entries travel by stream, and if that breaks, by gossip. */
  private static final int ENTRIES_MAX = 64;

  private static final int BYTES_MAX = 16_384;

  private static final class Wait {
    final long ticket;
    final long sequence;
    final int acks;
    final TreeSet<Long> by = new TreeSet<>();

    /** Through which epoch all had settled here when it had; {@link #NEVER} if it has not. */
    long settledThrough = NEVER;

    int askedAgain;
    long nextNanos;

    Wait(long ticket, long sequence, int acks, long nextNanos) {
      this.ticket = ticket;
      this.sequence = sequence;
      this.acks = acks;
      this.nextNanos = nextNanos;
    }

    Effect.Acked known() {
      return new Effect.Acked(ticket, 1 + by.size());
    }
  }

  private final ReplicaSettings settings;
  private final View view;
  private final Window window;
  private final Stability stability;
  private final Writes writes;
  private final ReplicaClock clock;
  private final AntiEntropy antiEntropy;
  private final NavigableMap<Long, Wait> bySequence = new TreeMap<>();
  private boolean fresh;
  private long nextNanos = NEVER;

  AckWaits(
      ReplicaSettings settings,
      View view,
      Window window,
      Stability stability,
      Writes writes,
      ReplicaClock clock,
      AntiEntropy antiEntropy) {
    this.settings = settings;
    this.view = view;
    this.window = window;
    this.stability = stability;
    this.writes = writes;
    this.clock = clock;
    this.antiEntropy = antiEntropy;
  }

  /** Waits until so many replicas, this one included, have the latest write. */
  void begin(long ticket, int acks) {
    Wait wait = new Wait(ticket, writes.lastSequence(), acks, clock.nowNanos() + ASK_AGAIN_NANOS);
    bySequence.put(wait.sequence, wait);
    nextNanos = Math.min(nextNanos, wait.nextNanos);
    fresh = true;
  }

  /** Waits no longer, and says how far it came; nothing if it had ended. */
  void end(long ticket, List<Effect> effects) {
    for (Wait wait : bySequence.values()) {
      if (wait.ticket == ticket) {
        effects.add(wait.known());
        bySequence.remove(wait.sequence);
        return;
      }
    }
  }

  /** Asks what is due. */
  void ask(List<Effect> effects) {
    if (fresh && !writes.hasUnsent()) { // Behind the writes: then the answer can be yes.
      fresh = false;
      if (!bySequence.isEmpty()) {
        effects.add(new Effect.Spread(question(bySequence.values())));
      }
    }
    if (clock.nowNanos() >= nextNanos) {
      countAgreed(effects);
      List<Wait> due =
          bySequence.values().stream().filter(wait -> wait.nextNanos <= clock.nowNanos()).toList();
      for (long other : view.others()) {
        askAgain(other, due, effects);
      }
      for (Wait wait : due) {
        wait.askedAgain++;
        wait.nextNanos =
            clock.nowNanos() + (ASK_AGAIN_NANOS << Math.min(DOUBLINGS_MAX, wait.askedAgain));
      }
      nextNanos =
          bySequence.values().stream().mapToLong(wait -> wait.nextNanos).min().orElse(NEVER);
    }
  }

  /** When something is due; {@link Long#MAX_VALUE} if never. */
  long nextTickNanos() {
    boolean asks = fresh && !writes.hasUnsent();
    return view.others().isEmpty() ? NEVER : asks ? clock.nowNanos() : nextNanos;
  }

  /** Another replica has these. */
  void take(Ack ack, List<Effect> effects) {
    if (ack.ids().client() != writes.client()) {
      return;
    }
    IntervalSet sequences = ack.ids().sequences();
    List<Wait> waits = new ArrayList<>(1);
    for (int i = 0; i < sequences.intervals(); i++) {
      waits.addAll(bySequence.subMap(sequences.first(i), true, sequences.last(i), true).values());
    }
    waits.forEach(wait -> wait.by.add(ack.replica()));
    endReached(waits, effects);
  }

  /** These epochs have settled here. */
  void settled(Collection<Epoch> epochs) {
    if (bySequence.isEmpty()) {
      return;
    }
    for (Epoch epoch : epochs) {
      for (LogEntry each : epoch.entries()) {
        RequestId id = each.entry.id();
        Wait wait = id.client() == writes.client() ? bySequence.get(id.sequence()) : null;
        if (wait != null) {
          wait.settledThrough = window.settled().throughEpoch();
        }
      }
    }
  }

  /** What has settled here is the state of another now, which may lack some of the writes. */
  void replaced() {
    for (Wait wait : bySequence.values()) {
      boolean hasSettled = window.clients().contains(new RequestId(writes.client(), wait.sequence));
      wait.settledThrough = hasSettled ? window.settled().throughEpoch() : NEVER;
    }
  }

  /** This replica has given these up: nobody is asked for them any more. */
  void gaveUp(List<RequestId> ids, List<Effect> effects) {
    for (RequestId id : ids) {
      Wait wait = id.client() == writes.client() ? bySequence.remove(id.sequence()) : null;
      if (wait != null) {
        effects.add(new Effect.Acked(wait.ticket, 0));
      }
    }
  }

  /** Who has left counts no more; who has come is asked at once. */
  void viewChanged() {
    for (Wait wait : bySequence.values()) {
      wait.by.retainAll(view.others());
      wait.askedAgain = 0;
      wait.nextNanos = clock.nowNanos();
      nextNanos = wait.nextNanos;
    }
  }

  private void countAgreed(List<Effect> effects) {
    long through = window.settled().throughEpoch();
    long remembered = settings.limits().memory().atLeastMillis();
    long before = through - remembered / settings.timing().epochs().lengthMillis();
    List<Wait> old =
        bySequence.values().stream().filter(wait -> wait.settledThrough < before).toList();
    for (long other : view.others()) {
      if (stability.isAgreedBy(List.of(other), through)) {
        old.forEach(wait -> wait.by.add(other));
      }
    }
    endReached(old, effects);
  }

  private void endReached(List<Wait> waits, List<Effect> effects) {
    for (Wait wait : waits) {
      if (wait.by.size() + 1 >= wait.acks) {
        bySequence.remove(wait.sequence);
        effects.add(wait.known());
      }
    }
  }

  private void askAgain(long other, List<Wait> due, List<Effect> effects) {
    List<Wait> lacking = due.stream().filter(wait -> !wait.by.contains(other)).toList();
    if (lacking.isEmpty()) {
      return;
    }
    List<Entry> entries = new ArrayList<>();
    for (Wait wait : lacking) {
      Entry entry = window.find(new RequestId(writes.client(), wait.sequence));
      if (entry != null && entry.body().sizeBytes() <= BYTES_MAX) {
        entries.add(entry);
      }
    }
    if (!entries.isEmpty()) {
      view.send(other, antiEntropy.repair(entries, ENTRIES_MAX, BYTES_MAX), effects);
    }
    view.send(other, question(lacking), effects);
  }

  /** Asks for the oldest as many as may be: the answers make room for the others. */
  private AckRequest question(Collection<Wait> waits) {
    IntervalSet sequences = new IntervalSet();
    waits.stream()
        .limit(settings.limits().waits().acks())
        .forEach(wait -> sequences.add(wait.sequence));
    return new AckRequest(
        settings.service(), settings.self(), new ClientIds(writes.client(), sequences));
  }
}
