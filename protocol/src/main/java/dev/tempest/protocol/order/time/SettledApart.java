package dev.tempest.protocol.order.time;

import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The settled entries that somebody may lack who is away. If the two have grown apart when it comes
 * back, what adds up of them is put in again under the same ids, so that it counts exactly once.
 *
 * <p>Remembers who is away for as long as clients are remembered, and the latest entries, as far as
 * they fit.
 */
final class SettledApart {
  /** What an entry takes in memory beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 100;

  private final long maxBytes;
  private final int awayMaxMillis;
  private final Predicate<Change> addsUp;

  /** And since when. */
  private final SortedMap<Long, Long> away = new TreeMap<>();

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private List<Long> present;
  private long sizeBytes;

  /**
   * Nobody is away.
   *
   * @param addsUp of which changes something adds up
   */
  SettledApart(List<Long> present, long maxBytes, int awayMaxMillis, Predicate<Change> addsUp) {
    this.present = present;
    this.maxBytes = maxBytes;
    this.awayMaxMillis = awayMaxMillis;
    this.addsUp = addsUp;
  }

  /** Others are there now. */
  void viewChanged(List<Long> others, long nowMillis) {
    TreeSet<Long> left = new TreeSet<>(present);
    others.forEach(left::remove);
    left.forEach(other -> away.putIfAbsent(other, nowMillis));
    present = others;
  }

  /** Another replica has all that is settled here. */
  void shares(long other) {
    if (away.remove(other) != null) {
      forgetIfAllAreThere();
    }
  }

  /** These are about to settle. */
  void settles(Collection<Epoch> epochs, long nowMillis) {
    if (away.isEmpty()) {
      return;
    }
    away.values().removeIf(since -> nowMillis - since > awayMaxMillis);
    forgetIfAllAreThere();
    if (away.isEmpty()) {
      return;
    }
    for (Epoch epoch : epochs) {
      for (LogEntry each : epoch.entries()) {
        if (each.entry.body() instanceof Change change && addsUp.test(change)) {
          entries.add(each.entry);
          sizeBytes += sizeBytes(each.entry);
        }
      }
    }
    while (sizeBytes > maxBytes) {
      sizeBytes -= sizeBytes(entries.removeFirst());
    }
  }

  /** Hands them over, in order. */
  List<Entry> take() {
    List<Entry> taken = new ArrayList<>(entries);
    entries.clear();
    sizeBytes = 0;
    return taken;
  }

  private void forgetIfAllAreThere() {
    if (away.isEmpty()) {
      entries.clear();
      sizeBytes = 0;
    }
  }

  private static long sizeBytes(Entry entry) {
    return OVERHEAD_BYTES + entry.body().sizeBytes();
  }
}
