package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import java.util.ArrayList;
import java.util.List;

/** The entries of a group, slot by slot, without a gap. What is committed never changes. */
final class Log {
  private final List<Entry> entries = new ArrayList<>();
  private long committed;

  /** The last slot that says who the members are; -1 if none does. */
  private long membersAt = -1;

  /** Of a group that begins with these members; empty where nobody knows them yet. */
  Log(List<Long> firstMembers) {
    if (!firstMembers.isEmpty()) {
      add(new Entry.Members(firstMembers)); // Nobody can have another one.
      committed = 1;
    }
  }

  /** Who agrees on what comes next; nobody if it does not know. */
  List<Long> members() {
    return membersAt >= 0 && get(membersAt) instanceof Entry.Members(var members)
        ? members
        : List.of();
  }

  /** Whether it is certain who the members are: until then nobody may change them again. */
  boolean isSettled() {
    return membersAt < committed;
  }

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
    if (entry instanceof Entry.Members) {
      membersAt = length();
    }
    entries.add(entry);
  }

  /** Puts these in place of all from one slot on. */
  void replace(long from, List<Entry> with) {
    Invariant.check(from >= committed, "what is committed is not replaced");
    Invariant.check(from <= length(), "a log has no gap");
    entries.subList((int) from, entries.size()).clear();
    if (membersAt >= from) {
      membersAt = lastMembersBelow(from);
    }
    with.forEach(this::add);
  }

  private long lastMembersBelow(long end) {
    long slot = end - 1;
    while (slot >= 0 && !(get(slot) instanceof Entry.Members)) {
      slot--;
    }
    return slot;
  }

  /** So many are committed, if as many are there. */
  void commit(long through) {
    committed = Math.max(committed, Math.min(through, length()));
  }
}
