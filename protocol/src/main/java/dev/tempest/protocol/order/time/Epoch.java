package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Prefix;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of one epoch, in order, and the sum of their hashes. */
final class Epoch {
  final long number;
  private final ArrayList<LogEntry> entries = new ArrayList<>();
  private long hash;
  private int pending;
  private int changes;
  private boolean hasStaleVersions;

  /** Kept from when it is first asked for: where nothing gets lost, nobody asks. */
  private @Nullable IdSet ids;

  Epoch(long number) {
    this.number = number;
  }

  List<LogEntry> entries() {
    return entries;
  }

  int size() {
    return entries.size();
  }

  long hash() {
    return hash;
  }

  /** The sum of all through it, after that of all before it. */
  Prefix after(Prefix before) {
    return new Prefix(number, before.count() + entries.size(), before.hash() + hash);
  }

  /** The requests of all entries; for reading. */
  IdSet ids() {
    IdSet known = ids;
    if (known == null) {
      known = new IdSet();
      for (LogEntry each : entries) {
        known.add(each.entry.id());
      }
      ids = known;
    }
    return known;
  }

  LogEntry last() {
    return entries.getLast();
  }

  /** How many entries have yet to run. */
  int pending() {
    return pending;
  }

  /** One of those has. */
  void hasRun() {
    pending--;
  }

  /** Whether something in it takes the place of what was there, and was not executed here. */
  boolean hasChanges() {
    return changes > 0;
  }

  /** Something changed before all entries: of the versions only the last one is right. */
  void versionsAreStale() {
    hasStaleVersions = true;
  }

  /** Takes the versions away that are not right. */
  void dropStaleVersions() {
    boolean isLast = true;
    for (int at = entries.size() - 1; hasStaleVersions && at >= 0; at--) {
      LogEntry each = entries.get(at);
      if (each.after != null) {
        each.after = isLast ? each.after : null;
        isLast = false;
      }
    }
    hasStaleVersions = false;
  }

  /** Puts it where it belongs and says where that is. */
  int insert(LogEntry entry) {
    pending += entry.answer == null ? 1 : 0;
    changes += isChange(entry) ? 1 : 0;
    int at = position(entry.entry);
    entries.add(at, entry);
    hash += Mix.hash(entry.entry);
    if (ids != null) {
      ids.add(entry.entry.id());
    }
    return at;
  }

  /** Takes it out and says where it was. */
  int remove(LogEntry entry) {
    dropStaleVersions(); // Without the last entry another version would pass for the right one.
    int at = position(entry.entry);
    entries.remove(at);
    pending -= entry.answer == null ? 1 : 0;
    changes -= isChange(entry) ? 1 : 0;
    hash -= Mix.hash(entry.entry);
    if (ids != null) {
      ids.remove(entry.entry.id());
    }
    return at;
  }

  private static boolean isChange(LogEntry entry) {
    return entry.entry.body() instanceof Change change && change.writes().size() > 0;
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    IdSet known = ids;
    int unrun = 0;
    int changing = 0;
    for (LogEntry each : entries) {
      unrun += each.answer == null ? 1 : 0;
      changing += isChange(each) ? 1 : 0;
      Invariant.check(
          known == null || known.contains(each.entry.id()),
          "an epoch knows the requests of its entries");
    }
    Invariant.check(unrun == pending, "an epoch counts the entries that have yet to run");
    Invariant.check(changing == changes, "an epoch counts its changes");
    Invariant.check(
        known == null || known.size() == entries.size(), "an epoch knows no other requests");
  }

  /** The index of the entry, or the one that it would have. */
  int position(Entry entry) {
    int low = 0;
    int high = entries.size();
    if (high > 0 && entries.get(high - 1).entry.compareTo(entry) < 0) {
      return high; // Nearly always: entries arrive in about the order of their stamps.
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).entry.compareTo(entry) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
