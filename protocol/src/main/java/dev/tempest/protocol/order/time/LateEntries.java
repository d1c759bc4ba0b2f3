package dev.tempest.protocol.order.time;

import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.state.versioned.Difference;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Entry;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs entries that came late in their places (multi-version timestamp ordering): of those after
 * them only the ones run again that read or write what has changed.
 *
 * <p>Guarantees that versions and answers are those of an execution of all entries in order. It
 * walks along the entries with the drift, the {@link Difference} of the history that is by the one
 * that was. Between two entries that keep their version it executes all or none: where nothing that
 * has changed is touched, the version at the end gets what has changed, and the entries are not
 * looked at again. Not thread-safe.
 */
final class LateEntries {
  /**
   * Of so many entries in a row one keeps its version: fewer are faster to run again, more take
   * memory.
   */
  static final int VERSION_EVERY = 32;

  private final Replay replay;
  private Difference drift = new Difference();

  /** So many entries ran since it was last seen which keys differ still. */
  private long ranSince;

  private long rerun;
  private long grownBytes;

  LateEntries(Replay replay) {
    this.replay = replay;
  }

  /** How many entries were executed again. */
  long rerun() {
    return rerun;
  }

  /** How many bytes more the entries take since this was asked. */
  long takeGrownBytes() {
    long grown = grownBytes;
    grownBytes = 0;
    return grown;
  }

  /** One that has been executed will be again, in another place. */
  void countAgain() {
    rerun++;
  }

  /** From the next run on nothing is as it was. */
  void runAllAgain() {
    drift.addEverything();
  }

  /**
   * Runs all entries that have not run.
   *
   * @param epochs with these and all others; afterwards the last entry of each has its version
   * @param base the version before them
   * @param earliest the first that has to run
   */
  void run(NavigableMap<Long, Epoch> epochs, Version base, Entry earliest) {
    long first = replay.epochOf(earliest);
    Map.Entry<Long, Epoch> previous = epochs.lowerEntry(first);
    Version before = previous == null ? base : afterOf(previous.getValue().last());
    for (Epoch epoch : epochs.tailMap(first, true).values()) {
      if (epoch.pending() > 0 || !drift.isEmpty()) {
        Version begun = replay.begin(epoch.number, before);
        boolean costsLess = drift.size() > epoch.size();
        if (epoch.pending() > 0 || costsLess || isTouched(epoch.entries())) {
          int from = epoch.number == first ? epoch.position(earliest) : 0;
          run(epoch, begun, from, epoch.number == epochs.lastKey());
        } else {
          passBy(epoch, begun);
        }
      }
      before = afterOf(epoch.last());
    }
    drift = new Difference();
  }

  /** Whether a call that commutes with all others can be {@linkplain #apply applied} to these. */
  static boolean canApplyTo(Map<Long, Epoch> epochs) {
    return epochs.values().stream().noneMatch(Epoch::hasChanges);
  }

  /**
   * Applies an entry that commutes with all others to what came of those after it, and to none of
   * them.
   *
   * @param epochs with the entry in its place, which has not run
   * @return how it ended after all others
   */
  Execution apply(NavigableMap<Long, Epoch> epochs, Version base, LogEntry entry) {
    long number = replay.epochOf(entry.entry);
    Epoch epoch = epochs.get(number);
    if (epoch == null) {
      throw new IllegalArgumentException("entry " + entry.entry.id() + " is in no epoch");
    }
    if (epoch.last() == entry) {
      int at = epoch.size() - 1;
      entry.after = at == 0 ? begun(epochs, base, number) : afterOf(epoch.entries().get(at - 1));
    }
    epoch.hasRun();
    Execution last = new Execution(base, new Result.Returned(Bytes.EMPTY), Footprint.NONE);
    for (Epoch each : epochs.tailMap(number, true).values()) {
      last = replay.execution(afterOf(each.last()), entry.entry);
      each.last().after = last.after();
      each.versionsAreStale();
    }
    return last;
  }

  private Version begun(NavigableMap<Long, Epoch> epochs, Version base, long number) {
    Map.Entry<Long, Epoch> previous = epochs.lowerEntry(number);
    return replay.begin(number, previous == null ? base : afterOf(previous.getValue().last()));
  }

  /** The version after some epochs that have run. */
  static Version after(NavigableMap<Long, Epoch> epochs, Version before) {
    Map.Entry<Long, Epoch> last = epochs.lastEntry();
    return last == null ? before : afterOf(last.getValue().last());
  }

  static Version afterOf(LogEntry entry) {
    Version after = entry.after;
    if (after == null) {
      throw new IllegalStateException("entry " + entry.entry.id() + " has lost its version");
    }
    return after;
  }

  /** Nothing in it was done differently: only the last version is brought to what it is now. */
  private void passBy(Epoch epoch, Version begun) {
    LogEntry last = epoch.last();
    Version earlier = afterOf(last);
    Version later = drift.carry(earlier, begun);
    last.after = later;
    epoch.versionsAreStale();
    ranSince += epoch.size();
    compare(earlier, later);
  }

  private void run(Epoch epoch, Version begun, int from, boolean isLastEpoch) {
    epoch.dropStaleVersions();
    List<LogEntry> entries = epoch.entries();
    int start = from;
    while (start > 0 && entries.get(start - 1).after == null) {
      start--;
    }
    Version version = start == 0 ? begun : afterOf(entries.get(start - 1));
    while (start < entries.size() && (epoch.pending() > 0 || !drift.isEmpty())) {
      int end = start;
      while (end < entries.size() - 1 && entries.get(end).after == null) {
        end++;
      }
      LogEntry last = entries.get(end);
      boolean costsLess = drift.size() > end - start;
      if (last.after == null || costsLess || isTouched(entries.subList(start, end + 1))) {
        version = run(epoch, start, end, version, isLastEpoch);
      } else {
        version = drift.carry(last.after, version);
        last.after = version;
      }
      start = end + 1;
    }
  }

  /** Runs the entries up to the next that has its version, or to the end of the epoch. */
  private Version run(Epoch epoch, int start, int end, Version before, boolean isLastEpoch) {
    List<LogEntry> entries = epoch.entries();
    @Nullable Version earlier = entries.get(end).after;
    Version version = before;
    int kept = start - 1;
    ranSince += end - start + 1;
    for (int at = start; at <= end; at++) {
      LogEntry each = entries.get(at);
      boolean isNew = each.answer == null;
      version = run(each, version, earlier == null && isLastEpoch);
      if (isNew) {
        epoch.hasRun();
      }
      boolean keeps = at - kept == VERSION_EVERY || at == end;
      each.after = keeps ? version : null;
      kept = keeps && at < end ? at : kept;
    }
    if (earlier == null) { // The end of the epoch has moved: what kept its version may lose it.
      if (start > 0 && start % VERSION_EVERY != 0) {
        entries.get(start - 1).after = null;
      }
    } else {
      compare(earlier, version);
      if (kept >= start && end - kept < VERSION_EVERY / 2 && end < entries.size() - 1) {
        entries.get(end).after = null;
      }
    }
    return version;
  }

  /** Not more often than it pays: a long drift differs at most keys for long. */
  private void compare(Version earlier, Version later) {
    if (ranSince >= drift.size()) {
      drift.compare(earlier, later);
      ranSince = 0;
    }
  }

  /**
   * Runs one if it has to.
   *
   * @param isLast whether nothing that has run comes after it
   */
  private Version run(LogEntry each, Version before, boolean isLast) {
    boolean isNew = each.answer == null;
    if (!isNew && !drift.meets(footprint(each))) {
      return again(each, before);
    }
    Execution execution = replay.execution(before, each.entry);
    if (isLast && isNew) {
      grownBytes += each.ran(execution); // There is nothing after it that could differ.
      return execution.after();
    }
    Footprint later = each.isCall() ? execution.footprint() : replay.footprint(each.entry);
    if (isNew) {
      drift.add(later, before, execution.after());
    } else {
      rerun++;
      if (!each.isCall()) {
        drift.replace(later, later);
      } else if (replay.isCommutative(each.entry)) {
        drift.addAll(footprint(each), later);
      } else {
        drift.replace(footprint(each), later);
      }
    }
    grownBytes += each.ran(execution);
    return execution.after();
  }

  /** One that does what it did. */
  private Version again(LogEntry each, Version before) {
    Footprint footprint = footprint(each);
    // One that commutes may have run elsewhere, where it put something else.
    return footprint.hasWrites() && !replay.isCommutative(each.entry)
        ? footprint.applyTo(before)
        : replay.execution(before, each.entry).after();
  }

  private boolean isTouched(List<LogEntry> entries) {
    for (LogEntry each : entries) {
      if (each.answer == null || drift.meets(footprint(each))) {
        return true;
      }
    }
    return false;
  }

  private Footprint footprint(LogEntry entry) {
    Footprint footprint = entry.footprint;
    if (footprint == null) {
      footprint = replay.footprint(entry.entry).withoutWrites();
      entry.footprint = footprint;
    }
    return footprint;
  }
}
