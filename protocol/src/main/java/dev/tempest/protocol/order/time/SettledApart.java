package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.time.ReplicaSettings.Memory;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Kept.Absence;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The settled entries that somebody may lack who is away. If the two have grown apart when it comes
 * back, they are put in again under the same ids, so that each counts exactly once: calls as they
 * are, of what was written what adds up. They go with the state to whoever takes it, who may be the
 * only one left then.
 *
 * <p>Remembers who is away for as long as clients are remembered, and the latest entries, as far as
 * they fit. A replica that begins with no state of another one does not know who else has begun:
 * {@linkplain Kept#ANYBODY anybody} may be away. Times are those of its own clock.
 */
final class SettledApart {
  /** What an entry takes in memory beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 100;

  private final Window window;
  private final long maxBytes;
  private final Memory memory;
  private final Predicate<Change> addsUp;

  /** Who is away, and since when. */
  private final SortedMap<Long, Long> away = new TreeMap<>();

  /** In order, those before {@link #first} excepted, which have been dropped. */
  private List<Entry> entries = new ArrayList<>();

  private int first;

  /** All calls that settled after this epoch are kept, if somebody is away. */
  private long sinceEpoch;

  private List<Long> present;
  private long sizeBytes;

  /**
   * Nothing has settled in a window.
   *
   * @param addsUp of which changes something adds up
   */
  SettledApart(
      Window window,
      List<Long> present,
      long maxBytes,
      Memory memory,
      Predicate<Change> addsUp,
      long nowMillis) {
    this.window = window;
    this.present = present;
    this.maxBytes = maxBytes;
    this.memory = memory;
    this.addsUp = addsUp;
    awaits(Kept.ANYBODY, nowMillis);
  }

  /** The state comes from a checkpoint: others may have begun without it. */
  void comeBack(Snapshot snapshot, long nowMillis) {
    replace(snapshot, nowMillis);
    awaits(Kept.ANYBODY, nowMillis);
  }

  /** Others are there now; whoever has left had agreed to all that is settled. */
  void viewChanged(List<Long> others, long nowMillis) {
    TreeSet<Long> left = new TreeSet<>(present);
    others.forEach(left::remove);
    left.forEach(other -> awaits(other, nowMillis));
    present = others;
  }

  private void awaits(long replica, long sinceMillis) {
    if (away.isEmpty()) {
      sinceEpoch = window.settled().throughEpoch();
    }
    away.putIfAbsent(replica, sinceMillis);
    if (away.size() > memory.absent()) {
      away.remove(Collections.min(away.entrySet(), Map.Entry.comparingByValue()).getKey());
    }
  }

  /** These have left for good, and given others what they had. */
  void ended(List<Long> members) {
    if (away.keySet().removeAll(members)) {
      forgetIfAllAreThere();
    }
  }

  /** Another replica has all that is settled here. */
  void shares(long other) {
    if (away.remove(other) != null) {
      forgetIfAllAreThere();
    }
  }

  /** These have settled, by epoch. */
  void settled(SortedMap<Long, Epoch> epochs, long nowMillis) {
    if (away.isEmpty()) {
      return;
    }
    away.values().removeIf(since -> nowMillis - since > memory.atMostMillis());
    forgetIfAllAreThere();
    if (!away.isEmpty()) {
      epochs.forEach((number, epoch) -> epoch.entries().forEach(each -> keep(number, each.entry)));
      dropWhatDoesNotFit();
    }
  }

  private void keep(long epoch, Entry entry) {
    if (!(entry.body() instanceof Call)) {
      sinceEpoch = epoch; // It is not put in again as a whole: calls before it alone are too few.
    }
    if (!(entry.body() instanceof Change change) || (isMemberAway() && addsUp.test(change))) {
      add(entry);
    }
  }

  /** Only then it is worth the time to read all that is written. */
  private boolean isMemberAway() {
    return away.size() > 1 || !away.containsKey(Kept.ANYBODY);
  }

  private void add(Entry entry) {
    entries.add(entry);
    sizeBytes += sizeBytes(entry);
  }

  private void dropWhatDoesNotFit() {
    while (sizeBytes > maxBytes) {
      Entry oldest = entries.get(first++);
      sizeBytes -= sizeBytes(oldest);
      sinceEpoch = Math.max(sinceEpoch, window.epochOf(oldest));
    }
    if (first > entries.size() / 2) {
      entries = new ArrayList<>(entries());
      first = 0;
    }
  }

  /** The entries that are kept, in order; for reading at once. */
  List<Entry> entries() {
    return entries.subList(first, entries.size());
  }

  /** Those after another one. */
  List<Entry> entriesAfter(Wish.OfEntries after) {
    Entry last = new Entry(after.id(), after.stamp(), new Change(Bytes.EMPTY));
    int at = Collections.binarySearch(entries(), last);
    return entries().subList(at < 0 ? -at - 1 : at + 1, entries().size());
  }

  /** What of them is kept, and for whom. */
  Kept kept(long nowMillis) {
    List<Absence> absences = new ArrayList<>(away.size());
    away.forEach(
        (other, since) -> absences.add(new Absence(other, Math.max(0, nowMillis - since))));
    return absences.isEmpty() ? Kept.NONE : new Kept(sinceEpoch, absences);
  }

  /** Another state is here now, and what came with it is kept. */
  void replace(Snapshot snapshot, long nowMillis) {
    Kept kept = snapshot.kept();
    away.remove(Kept.ANYBODY);
    forget();
    snapshot.keptEntries().forEach(this::add);
    for (Absence each : kept.away()) {
      awaits(each.replica(), nowMillis - Math.min(each.forMillis(), memory.atMostMillis()));
    }
    sinceEpoch = kept.away().isEmpty() ? snapshot.settled().throughEpoch() : kept.sinceEpoch();
    dropWhatDoesNotFit();
    forgetIfAllAreThere();
  }

  private void forgetIfAllAreThere() {
    if (away.isEmpty()) {
      forget();
    }
  }

  private void forget() {
    entries = new ArrayList<>();
    first = 0;
    sizeBytes = 0;
  }

  private static long sizeBytes(Entry entry) {
    return OVERHEAD_BYTES + entry.body().sizeBytes();
  }
}
