package dev.tempest.protocol.order.log;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.WrittenKeys;
import dev.tempest.wire.Executed;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * What the entries write that a replica has in its log and does not know to be committed: some of
 * them may count already. Whoever reads something else reads what counts, however many of them do.
 * Not thread-safe.
 */
final class Uncommitted {
  /** Of more it is not looked what they write. */
  static final int ENTRIES_MAX = 1_000;

  private record Entry(SlotEntry entry, Footprint writes) {}

  private final ServiceInstance service;

  /** Slot by slot, without a gap. */
  private final List<Entry> entries = new ArrayList<>();

  /** The slot of the first one. */
  private long from;

  private WrittenKeys keys = WrittenKeys.NONE;
  private long millis;

  Uncommitted(ServiceInstance service) {
    this.service = service;
  }

  /** Sees how long the log is by now, and what of it is committed. */
  void look(Agreement log) {
    long end = log.length();
    if (end - log.committed() > ENTRIES_MAX) {
      entries.clear();
      from = log.committed();
      keys = WrittenKeys.EVERYTHING;
      return;
    }
    boolean isOther = keys == WrittenKeys.EVERYTHING;
    isOther |= dropBelow(log.committed());
    isOther |= dropReplaced(log);
    for (long slot = from + entries.size(); slot < end; slot++) {
      SlotEntry entry = log.get(slot);
      entries.add(new Entry(entry, writes(entry)));
      millis = Math.max(millis, millis(entry));
      isOther = true;
    }
    if (isOther) {
      keys = WrittenKeys.of(entries.stream().map(Entry::writes).toList());
    }
  }

  private boolean dropBelow(long committed) {
    int done = (int) Math.min(committed - from, entries.size());
    entries.subList(0, done).clear();
    from = committed;
    return done > 0;
  }

  /** Another leader may have put others in their place. */
  @SuppressWarnings("ReferenceEquality") // An entry that is the same is kept as it is.
  private boolean dropReplaced(Agreement log) {
    int same = 0;
    while (same < entries.size()
        && from + same < log.length()
        && log.get(from + same) == entries.get(same).entry()) {
      same++;
    }
    boolean isOther = same < entries.size();
    entries.subList(same, entries.size()).clear();
    return isOther;
  }

  private Footprint writes(SlotEntry entry) {
    return switch (entry) {
      case SlotEntry.Begun begun -> Footprint.NONE;
      case SlotEntry.Members members -> Footprint.NONE;
      case SlotEntry.Passed passed -> Footprint.NONE; // Whatever expires is gone by its time.
      case SlotEntry.Proposed proposed when proposed.body() instanceof Executed executed -> {
        Footprint written = service.footprint(executed.writes());
        yield written == null ? Footprint.EVERYTHING : written;
      }
      case SlotEntry.Proposed kept -> Footprint.EVERYTHING;
      case SlotEntry.Called called -> Footprint.EVERYTHING; // What it writes is in no entry.
    };
  }

  private static long millis(SlotEntry entry) {
    return switch (entry) {
      case SlotEntry.Passed(long now) -> now;
      case SlotEntry.Proposed proposed -> proposed.millis();
      case SlotEntry.Called called -> called.millis();
      case SlotEntry other -> 0;
    };
  }

  /** The keys that they write to. */
  WrittenKeys keys() {
    return keys;
  }

  /** The latest time of any entry that it has looked at; what expires by then may be gone. */
  long millis() {
    return millis;
  }
}
