package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.RequestId;
import java.util.ArrayDeque;
import java.util.List;

/**
 * What this process writes by itself: names and stamps it, so that it counts after all that was
 * seen here, and sends it to the others.
 */
final class Writes {
  /** What goes at once, so that no turn takes long: a short train of messages. */
  private static final int MESSAGES_MAX = 32;

  private static final int ENTRIES_MAX = 256;
  private static final int BYTES_MAX = 32_768;

  private final long client;
  private final Window window;
  private final ReplicaClock clock;
  private final AntiEntropy antiEntropy;
  private final ArrayDeque<Entry> unsent = new ArrayDeque<>();
  private long lastSequence;

  /**
   * @param client 64 random bits of this incarnation
   */
  Writes(long client, Window window, ReplicaClock clock, AntiEntropy antiEntropy) {
    this.client = client;
    this.window = window;
    this.clock = clock;
    this.antiEntropy = antiEntropy;
  }

  /** Takes a write; the entry that it has become. */
  Entry take(Event.Written written) {
    RequestId id = new RequestId(client, ++lastSequence);
    Entry entry = new Entry(id, clock.newStamp(), new Change(written.change()));
    window.write(entry, written.before(), written.after(), 0);
    return entry;
  }

  /** The others have yet to hear of this one. */
  void spread(Entry entry) {
    unsent.add(entry);
  }

  /** Under which its writes are named. */
  long client() {
    return client;
  }

  /** Of its latest write; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  boolean hasUnsent() {
    return !unsent.isEmpty();
  }

  /** Sends what has not been sent, as much as goes at once. */
  void send(List<Effect> effects) {
    for (int i = 0; i < MESSAGES_MAX && !unsent.isEmpty(); i++) {
      Repair repair = antiEntropy.repair(unsent, ENTRIES_MAX, BYTES_MAX);
      effects.add(new Effect.Spread(repair));
      repair.entries().forEach(sent -> unsent.removeFirst());
    }
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    for (Entry entry : unsent) {
      RequestId id = entry.id();
      Invariant.check(
          id.client() != client || id.sequence() <= lastSequence,
          "what this process is to send under its own name, it has written");
    }
  }

  /** There is nobody to hear of it. */
  void forgetUnsent() {
    unsent.clear();
  }
}
