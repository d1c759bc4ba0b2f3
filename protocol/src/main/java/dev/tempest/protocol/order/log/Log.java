package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import java.util.ArrayList;
import java.util.List;

/** The entries of a group, slot by slot, without a gap. What is committed never changes. */
final class Log {
  private final List<Entry> entries = new ArrayList<>();
  private long committed;

  /** How many there are; the next entry gets this slot. */
  long length() {
    return entries.size();
  }

  /** How many of them are committed. */
  long committed() {
    return committed;
  }

  Entry get(long slot) {
    return entries.get((int) slot);
  }

  /** The entries from one slot on, so many at most. */
  List<Entry> from(long slot, int max) {
    int first = (int) Math.min(slot, length());
    return List.copyOf(entries.subList(first, (int) Math.min(first + (long) max, length())));
  }

  void add(Entry entry) {
    entries.add(entry);
  }

  /** Puts these in place of all from one slot on. */
  void replace(long from, List<Entry> with) {
    Invariant.check(from >= committed, "what is committed is not replaced");
    Invariant.check(from <= length(), "a log has no gap");
    entries.subList((int) from, entries.size()).clear();
    entries.addAll(with);
  }

  /** So many are committed, if as many are there. */
  void commit(long through) {
    committed = Math.max(committed, Math.min(through, length()));
  }
}
