package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Event;
import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.RequestId;
import java.util.ArrayDeque;

/**
 * What this process writes by itself: names and stamps it, so that it counts after all that was
 * seen here, and sends it to the others.
 */
final class Writes {
  /** What goes at once, so that no turn takes long: a short train of messages. */
  static final int MESSAGES_MAX = 32;

  static final int ENTRIES_MAX = 256;
  static final int BYTES_MAX = 32_768;

  /** What an entry takes on its way beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 20;

  private final long client;
  private final Window window;
  private final ReplicaClock clock;
  private final AntiEntropy antiEntropy;
  private final ArrayDeque<Entry> unsent = new ArrayDeque<>();
  private long unsentBytes;
  private long lastSequence;
  private long sentThrough;

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
    unsentBytes += sizeBytes(entry);
  }

  /** Under which its writes are named. */
  long client() {
    return client;
  }

  /** Of its latest write; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  /** The latest of its writes that has been sent; 0 if none has. */
  long sentThrough() {
    return sentThrough;
  }

  boolean hasUnsent() {
    return !unsent.isEmpty();
  }

  /** What those take on their way that have yet to be sent, about. */
  long unsentBytes() {
    return unsentBytes;
  }

  /** What an entry takes on its way, about. */
  static long sizeBytes(Entry entry) {
    return OVERHEAD_BYTES + entry.body().sizeBytes();
  }

  /** The next message of what has not been sent. */
  Repair next() {
    Repair repair = antiEntropy.repair(unsent, ENTRIES_MAX, BYTES_MAX);
    for (Entry sent : repair.entries()) {
      unsent.removeFirst();
      unsentBytes -= sizeBytes(sent);
      if (sent.id().client() == client) {
        sentThrough = Math.max(sentThrough, sent.id().sequence());
      }
    }
    return repair;
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    long bytes = 0;
    for (Entry entry : unsent) {
      bytes += sizeBytes(entry);
      RequestId id = entry.id();
      Invariant.check(
          id.client() != client || id.sequence() <= lastSequence,
          "what this process is to send under its own name, it has written");
    }
    Invariant.check(bytes == unsentBytes, "what is to be sent is counted");
  }

  /** There is nobody to hear of it. */
  void forgetUnsent() {
    unsent.clear();
    unsentBytes = 0;
    sentThrough = lastSequence;
  }
}
