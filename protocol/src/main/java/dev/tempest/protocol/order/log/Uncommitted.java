package dev.tempest.protocol.order.log;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
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
  /** Of more it is not known what they write. */
  static final int ENTRIES_MAX = 1_000;

  /** An entry that writes more is not looked at, since that takes long. */
  static final int WRITES_MAX_BYTES = 16 << 10;

  private record Entry(SlotEntry entry, WrittenKeys keys) {}

  private final ServiceInstance service;

  /** Slot by slot, without a gap. */
  private final List<Entry> entries = new ArrayList<>();

  /** The slot of the first one. */
  private long from;

  /** Of all in the log. */
  private WrittenKeys keys = WrittenKeys.NONE;

  /** The latest time of any of them: what has expired by then goes with it. */
  private long millis;

  Uncommitted(ServiceInstance service) {
    this.service = service;
  }

  /** Nobody asks for a while. */
  void forget() {
    entries.clear();
    keys = WrittenKeys.NONE;
  }

  /**
   * The keys that they write to.
   *
   * @param log as it is now
   * @param version after all that is committed
   */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  WrittenKeys keys(Agreement log, Version version) {
    boolean isOther = dropBelow(log.committed());
    isOther |= dropReplaced(log);
    isOther |= add(log);
    if (isOther) {
      boolean isAll = from + entries.size() == log.length();
      List<WrittenKeys> all = entries.stream().map(Entry::keys).toList();
      keys = isAll ? WrittenKeys.union(all) : WrittenKeys.EVERYTHING;
      millis = entries.stream().mapToLong(each -> millis(each.entry())).max().orElse(0);
    }
    boolean endsSome = !entries.isEmpty() && service.expire(version, millis) != version;
    return endsSome ? WrittenKeys.EVERYTHING : keys;
  }

  private boolean dropBelow(long committed) {
    int done = (int) Math.min(committed - from, entries.size());
    entries.subList(0, done).clear();
    from = committed;
    return done > 0;
  }

  /** Another leader may have put others in their place. */
  @SuppressWarnings("ReferenceEquality") // An entry that stays is the same object.
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

  private boolean add(Agreement log) {
    long next = from + entries.size();
    long end = Math.min(log.length(), from + ENTRIES_MAX);
    for (long slot = next; slot < end; slot++) {
      SlotEntry entry = log.get(slot);
      entries.add(new Entry(entry, writtenBy(entry)));
    }
    return next < log.length();
  }

  private WrittenKeys writtenBy(SlotEntry entry) {
    return switch (entry) {
      case SlotEntry.Begun begun -> WrittenKeys.NONE;
      case SlotEntry.Members members -> WrittenKeys.NONE;
      case SlotEntry.Passed passed -> WrittenKeys.NONE; // But for what has expired by then.
      case SlotEntry.Proposed proposed
          when proposed.body() instanceof Executed executed
              && executed.writes().size() <= WRITES_MAX_BYTES ->
          WrittenKeys.of(service.footprint(executed.writes()));
      case SlotEntry.Proposed large -> WrittenKeys.EVERYTHING;
      case SlotEntry.Called called -> WrittenKeys.EVERYTHING; // What it writes is in no entry.
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
}
