package dev.tempest.protocol.order.time;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Goes through entries of which another replica has some under other stamps, nobody knows which:
 * one repair may not have room for all, so the next one goes on where it ended.
 */
final class Sweep {
  /** The last entry that was sent, by replica; without its body. */
  private final SortedMap<Long, Entry> sent = new TreeMap<>();

  /** Those after what was sent last, and at the end those up to it. */
  List<Entry> next(long other, List<Entry> entries) {
    Entry last = sent.get(other);
    if (last == null) {
      return entries;
    }
    List<Entry> after = new ArrayList<>(entries.size());
    List<Entry> before = new ArrayList<>();
    for (Entry each : entries) {
      (each.compareTo(last) > 0 ? after : before).add(each);
    }
    after.addAll(before);
    return after;
  }

  void sent(long other, Entry last) {
    sent.put(other, new Entry(last.id(), last.stamp(), new Change(Bytes.EMPTY)));
  }

  /** Only these are there. */
  void viewChanged(Collection<Long> others) {
    sent.keySet().retainAll(others);
  }
}
