package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates that are not committed yet, at a replica that does not lead. Front-ends send each update
 * to all replicas; so if its leader dies, whoever leads next has it already, and no client has to
 * send it again.
 *
 * <p>Keeps each update once, in the order in which they came, so many at most, in so many bytes,
 * and for so long; the oldest go first. What is not here any more is executed when its front-end
 * sends it again. Does not know what was executed: whoever takes an update has to look.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
final class KeptUpdates {
  /** What an update takes besides its arguments, about. */
  private static final long UPDATE_BYTES = 200;

  /** So many at most are executed in one turn: others have to hear of this replica in between. */
  private static final int TURN_MAX = 64;

  /** Where turns take less time than this, each takes twice as many as the one before; else one. */
  private static final long SHORT_TURN_NANOS = 20_000_000;

  /** An update and who sent it. */
  record Kept(Address from, Update update, long sinceNanos) {
    private long sizeBytes() {
      return UPDATE_BYTES + update.call().sizeBytes();
    }
  }

  private final int maxUpdates;
  private final long maxBytes;
  private final LinkedHashMap<RequestId, Kept> oldestFirst = new LinkedHashMap<>();
  private long sizeBytes;
  private long forgotten;
  private long turnNanos;
  private int turnUpdates = 1;

  /** So many, in so many bytes, about. */
  KeptUpdates(int maxUpdates, long maxBytes) {
    this.maxUpdates = maxUpdates;
    this.maxBytes = maxBytes;
  }

  boolean isEmpty() {
    return oldestFirst.isEmpty();
  }

  /** How many went since there were others. */
  long forgotten() {
    return forgotten;
  }

  /** Keeps an update; one that is sent again stays where it is, with its latest stamp. */
  void keep(Address from, Update update, long nowNanos) {
    Kept kept = new Kept(from, update, nowNanos);
    if (kept.sizeBytes() > maxBytes) {
      return; // It would drive out all others.
    }
    Kept before = oldestFirst.putIfAbsent(update.id(), kept);
    if (before == null) {
      sizeBytes += kept.sizeBytes();
    } else if (Stamp.of(update.part()) > Stamp.of(before.update().part())) {
      oldestFirst.put(update.id(), new Kept(from, update, before.sinceNanos()));
      sizeBytes += kept.sizeBytes() - before.sizeBytes();
    }
    while (oldestFirst.size() > maxUpdates || sizeBytes > maxBytes) {
      takeOldest();
      forgotten++;
    }
  }

  /** All, the oldest first, as they are now. */
  List<Kept> all() {
    return new ArrayList<>(oldestFirst.values());
  }

  /** An update that is here; null if it is not. */
  @Nullable Kept find(RequestId id) {
    return oldestFirst.get(id);
  }

  /** Takes an update, which is committed; null if it is not here. */
  @Nullable Kept take(RequestId id) {
    return taken(oldestFirst.isEmpty() ? null : oldestFirst.remove(id));
  }

  /** Drops what has waited for too long: its client may have been told that nobody knows. */
  void dropOld(long nowNanos) {
    while (!oldestFirst.isEmpty()
        && nowNanos - oldestFirst.firstEntry().getValue().sinceNanos > Askers.WAIT_NANOS) {
      takeOldest();
    }
  }

  /**
   * How many are to be executed in a turn that begins now: one, and more while turns are short,
   * whatever it is that they take time for.
   */
  int countForTurn(long nowNanos) {
    boolean wasShort = nowNanos - turnNanos < SHORT_TURN_NANOS;
    turnUpdates = wasShort ? Math.min(2 * turnUpdates, TURN_MAX) : 1;
    turnNanos = nowNanos;
    return Math.min(turnUpdates, oldestFirst.size());
  }

  /** Takes the one that came first; null if there is none. */
  @Nullable Kept takeOldest() {
    var first = oldestFirst.pollFirstEntry();
    return taken(first == null ? null : first.getValue());
  }

  private @Nullable Kept taken(@Nullable Kept kept) {
    sizeBytes -= kept == null ? 0 : kept.sizeBytes();
    return kept;
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    long all = oldestFirst.values().stream().mapToLong(Kept::sizeBytes).sum();
    Invariant.check(all == sizeBytes, "what is kept is counted");
    Invariant.check(sizeBytes <= maxBytes, "no more is kept than may be");
  }
}
