package dev.tempest.protocol.order.time;

import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The settled entries that somebody may lack who is away. If the two have grown apart when it comes
 * back, they are put in again under the same ids, so that each counts exactly once: calls as they
 * are, of what was written what adds up. They go with the state to whoever takes it, who may be the
 * only one left then.
 *
 * <p>Remembers who is away for as long as clients are remembered, and the latest entries, as far as
 * they fit. A replica that begins with no state of another one does not know who else has begun:
 * {@linkplain Kept#ANYBODY anybody} may be away.
 */
final class SettledApart {
  /** What an entry takes in memory beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 100;

  private final Window window;
  private final long maxBytes;
  private final int awayMaxMillis;
  private final Predicate<Change> addsUp;

  /** And since when. */
  private final SortedMap<Long, Long> away = new TreeMap<>();

  private final NavigableMap<Long, List<Entry>> byEpoch = new TreeMap<>();

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
      int awayMaxMillis,
      Predicate<Change> addsUp,
      long nowMillis) {
    this.window = window;
    this.present = present;
    this.maxBytes = maxBytes;
    this.awayMaxMillis = awayMaxMillis;
    this.addsUp = addsUp;
    awaits(List.of(Kept.ANYBODY), nowMillis);
  }

  /** The state comes from a checkpoint: others may have begun without it. */
  void comeBack(Snapshot snapshot, long nowMillis) {
    replace(snapshot, nowMillis);
    awaits(List.of(Kept.ANYBODY), nowMillis);
  }

  /** Others are there now; whoever has left had agreed to all that is settled. */
  void viewChanged(List<Long> others, long nowMillis) {
    TreeSet<Long> left = new TreeSet<>(present);
    others.forEach(left::remove);
    awaits(left, nowMillis);
    present = others;
  }

  private void awaits(Collection<Long> others, long nowMillis) {
    if (away.isEmpty()) {
      sinceEpoch = window.settled().throughEpoch();
    }
    others.forEach(other -> away.putIfAbsent(other, nowMillis));
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

  /** These are about to settle, by epoch. */
  void settles(SortedMap<Long, Epoch> epochs, long nowMillis) {
    if (away.isEmpty()) {
      return;
    }
    away.values().removeIf(since -> nowMillis - since > awayMaxMillis);
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
      add(epoch, entry);
    }
  }

  /** Only then it is worth the time to read all that is written. */
  private boolean isMemberAway() {
    return away.size() > 1 || !away.containsKey(Kept.ANYBODY);
  }

  private void add(long epoch, Entry entry) {
    byEpoch.computeIfAbsent(epoch, first -> new ArrayList<>()).add(entry);
    sizeBytes += sizeBytes(entry);
  }

  private void dropWhatDoesNotFit() {
    while (sizeBytes > maxBytes) {
      var oldest = byEpoch.pollFirstEntry();
      oldest.getValue().forEach(entry -> sizeBytes -= sizeBytes(entry));
      sinceEpoch = Math.max(sinceEpoch, oldest.getKey());
    }
  }

  /** What of them is here, and for whom. */
  Kept kept() {
    return away.isEmpty() ? Kept.NONE : new Kept(sinceEpoch, List.copyOf(away.keySet()));
  }

  /** Those entries as they are now, by epoch, in order: any thread may read them. */
  List<List<Entry>> entries() {
    return List.copyOf(byEpoch.values());
  }

  /** The entries from an epoch on, in order. */
  Stream<Entry> entries(long fromEpoch) {
    return byEpoch.tailMap(fromEpoch, true).values().stream().flatMap(List::stream);
  }

  /** Another state is here now, and what came with it is kept. */
  void replace(Snapshot snapshot, long nowMillis) {
    Kept kept = snapshot.kept();
    away.remove(Kept.ANYBODY);
    forget();
    snapshot.apart().forEach(entry -> add(window.epochOf(entry), entry));
    awaits(kept.away(), nowMillis);
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
    byEpoch.clear();
    sizeBytes = 0;
  }

  private static long sizeBytes(Entry entry) {
    return OVERHEAD_BYTES + entry.body().sizeBytes();
  }
}
