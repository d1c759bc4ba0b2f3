package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries of a group, slot by slot, without a gap. What is committed never changes. It begins
 * where its owner has dropped what lies before: that is in a state.
 */
final class Log {
  /** An entry; what all through it take in memory, and the sum of their hashes. */
  private record Placed(SlotEntry entry, long endBytes, long endHash) {}

  private final List<Placed> entries = new ArrayList<>();

  /** The first slot that is here. */
  private long start;

  /** Who agrees on that slot. */
  private List<Long> membersAtStart = List.of();

  /** What all before it took. */
  private long startBytes;

  /** Of all before it. */
  private long startHash;

  private long committed;

  /** The last slot that says who the members are; below {@link #start} if none here does. */
  private long membersAt = -1;

  /** Of a group that nobody has founded yet, as far as is known. */
  Log() {}

  /** Who agrees on what comes next; nobody if it does not know. */
  List<Long> members() {
    return membersAt < start ? membersAtStart : ((SlotEntry.Members) get(membersAt)).members();
  }

  /** Whether it is certain who the members are: until then nobody may change them again. */
  boolean isSettled() {
    return membersAt < committed;
  }

  /**
   * Whether who has this log may lead: as long as it is not sure that the group goes on without it,
   * nobody else may have what they need for that.
   */
  boolean mayBeLedBy(long replica) {
    return members().contains(replica) || (length() > 0 && !isSettled());
  }

  /** The first slot that is here; what lies before it is dropped. */
  long start() {
    return start;
  }

  /** How many there are; the next entry gets this slot. */
  long length() {
    return start + entries.size();
  }

  /** How many of them are committed. */
  long committed() {
    return committed;
  }

  /** What the entries before a slot that are here take in memory, about. */
  long sizeBytes(long end) {
    return endBytes(end) - startBytes;
  }

  private long endBytes(long end) {
    return end <= start ? startBytes : placed(end - 1).endBytes();
  }

  private Placed placed(long slot) {
    return entries.get((int) (slot - start));
  }

  /**
   * Of an update in its slot, with what members vote for: when it runs, and what it comes to. That
   * of a log is the sum of all.
   */
  static long hash(SlotEntry entry, long slot) {
    RequestId id = entry.id();
    long update = id == null ? 0 : Mix.mix(Mix.hash(id) + slot);
    return entry instanceof SlotEntry.Called called
        ? Mix.mix(update + Mix.hash(called.millis(), called.answeredBelow() ^ called.outcome()))
        : update;
  }

  /** Of all in it, also of what is dropped: as in {@link LogPoint#hash}. */
  long hash() {
    return endHash(length());
  }

  private long endHash(long end) {
    return end <= start ? startHash : placed(end - 1).endHash();
  }

  SlotEntry get(long slot) {
    return placed(slot).entry();
  }

  /** The entries from one slot on: so many at most, and of more than one so many bytes. */
  List<SlotEntry> from(long slot, long max, int maxBytes) {
    List<SlotEntry> some = new ArrayList<>();
    if (slot >= start && slot < length()) {
      long enoughBytes = endBytes(slot) + maxBytes;
      for (long each = slot; each < length() && some.size() < max; each++) {
        Placed next = placed(each);
        if (!some.isEmpty() && next.endBytes() > enoughBytes) {
          break;
        }
        some.add(next.entry());
      }
    }
    return some;
  }

  void add(SlotEntry entry) {
    if (entry instanceof SlotEntry.Members) {
      membersAt = length();
    }
    long slot = length();
    entries.add(
        new Placed(entry, endBytes(slot) + entry.sizeBytes(), endHash(slot) + hash(entry, slot)));
  }

  /** Puts these in place of all from one slot on. */
  void replace(long from, List<SlotEntry> with) {
    Invariant.check(from >= committed, "what is committed is not replaced");
    Invariant.check(from <= length(), "a log has no gap");
    entries.subList((int) (from - start), entries.size()).clear();
    if (membersAt >= from) {
      membersAt = lastMembersBelow(from);
    }
    with.forEach(this::add);
  }

  private long lastMembersBelow(long end) {
    long slot = end - 1;
    while (slot >= start && !(get(slot) instanceof SlotEntry.Members)) {
      slot--;
    }
    return slot;
  }

  /** Drops what is committed, and in a state, before a slot. */
  void dropBelow(long slot) {
    Invariant.check(slot <= committed, "only what is committed is in a state");
    if (slot <= start) {
      return;
    }
    long members = Math.max(start - 1, lastMembersBelow(slot));
    membersAtStart =
        members < start ? membersAtStart : ((SlotEntry.Members) get(members)).members();
    startHash = endHash(slot);
    startBytes = endBytes(slot);
    entries.subList(0, (int) (slot - start)).clear();
    start = slot;
  }

  /** Begins anew at a slot, with all before it in a state. */
  void restart(LogPoint point) {
    Invariant.check(point.slot() >= committed, "what is committed is not replaced");
    entries.clear();
    start = point.slot();
    startHash = point.hash();
    committed = point.slot();
    membersAtStart = point.members();
    membersAt = point.slot() - 1;
  }

  /** So many are committed, if as many are there. */
  void commit(long through) {
    committed = Math.max(committed, Math.min(through, length()));
  }
}
