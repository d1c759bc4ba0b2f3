package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.time.ReplicaSettings.Limits;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.EpochSummary;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.RangeIds;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.Want;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares what two replicas have executed and picks what each lacks: the sets of Tempest's gossip
 * (section 3.2), with the invocations travelling in place of the objects, and sums of hashes in
 * place of sets that grow for ever.
 *
 * <p>Only reads the window; does not decide when to gossip, and does not order.
 */
final class AntiEntropy {
  /** So few entries go with the ids at once: most of what is lacking is a lost datagram. */
  private static final int FEW_ENTRIES = 8;

  private final long service;
  private final long self;
  private final Limits limits;

  AntiEntropy(ReplicaSettings settings) {
    this.service = settings.service();
    this.self = settings.self();
    this.limits = settings.limits();
  }

  /**
   * What the window has.
   *
   * @param closedThrough the last closed epoch
   * @param openThrough the last epoch to speak of: later ones still have requests on their way
   * @param stateHash of the settled state
   */
  Digest digest(Window window, long closedThrough, long openThrough, long stateHash) {
    List<EpochSummary> open = new ArrayList<>();
    if (openThrough > closedThrough) {
      for (Epoch each : window.epochs().subMap(closedThrough, false, openThrough, true).values()) {
        open.add(new EpochSummary(each.number, each.size(), each.hash()));
      }
    }
    return new Digest(
        service,
        self,
        window.settled(),
        window.through(closedThrough),
        stateHash,
        Math.max(openThrough, closedThrough),
        open);
  }

  /**
   * The ids here wherever the digest, which starts from the same settled epoch, differs.
   *
   * @param openThrough the last open epoch to compare
   */
  List<RangeIds> differences(Window window, Digest digest, long openThrough) {
    List<RangeIds> ranges = new ArrayList<>();
    Prefix closed = digest.closed();
    long settledThrough = window.settled().throughEpoch();
    if (closed.throughEpoch() > settledThrough
        && !window.through(closed.throughEpoch()).equals(closed)) {
      ranges.add(range(window, settledThrough + 1, closed.throughEpoch()));
    }
    SortedMap<Long, EpochSummary> theirs = new TreeMap<>();
    for (EpochSummary summary : digest.open()) {
      if (summary.epoch() <= openThrough) {
        theirs.put(summary.epoch(), summary);
      }
    }
    TreeSet<Long> numbers = new TreeSet<>(theirs.keySet());
    long from = Math.max(closed.throughEpoch(), settledThrough);
    long through = Math.min(digest.openThrough(), openThrough);
    if (through > from) {
      numbers.addAll(window.epochs().subMap(from, false, through, true).keySet());
    }
    for (long number : numbers) {
      Epoch mine = window.epochs().get(number);
      EpochSummary summary = theirs.get(number);
      boolean same =
          mine == null
              ? summary == null
              : summary != null && summary.count() == mine.size() && summary.hash() == mine.hash();
      if (!same && number > settledThrough) {
        ranges.add(range(window, number, number));
      }
    }
    return ranges;
  }

  /** The ids here in the ranges of which the other has shown its own. */
  List<RangeIds> ours(Window window, List<RangeIds> theirs) {
    return theirs.stream()
        .filter(range -> range.first() > window.settled().throughEpoch())
        .map(range -> range(window, range.first(), range.last()))
        .toList();
  }

  /** The ids here in each epoch of ranges whose ids are equal but whose hashes are not. */
  List<RangeIds> byEpoch(Window window, List<RangeIds> unclear) {
    List<RangeIds> ranges = new ArrayList<>();
    for (RangeIds range : unclear) {
      for (long number : epochs(window, range.first(), range.last()).keySet()) {
        ranges.add(range(window, number, number));
      }
    }
    return ranges;
  }

  /** All entries of the ranges, if they are so few that to send them costs less than to ask. */
  List<Entry> fewEntries(Window window, List<RangeIds> ranges) {
    List<Entry> entries = new ArrayList<>();
    for (RangeIds range : ranges) {
      for (Epoch epoch : epochs(window, range.first(), range.last()).values()) {
        if (entries.size() + epoch.size() > FEW_ENTRIES) {
          return List.of();
        }
        addEpoch(epoch, entries);
      }
    }
    return entries;
  }

  /**
   * What is to be done about the other's ids.
   *
   * @param differ all of epochs in which some have other stamps there
   */
  record Comparison(
      IdSet onlyOurs,
      IdSet onlyTheirs,
      List<Entry> theyLack,
      List<Entry> differ,
      List<RangeIds> unclear) {}

  /** Compares the other's ids with the window. */
  Comparison compare(Window window, List<RangeIds> ranges) {
    List<Entry> theyLack = new ArrayList<>();
    List<Entry> differ = new ArrayList<>();
    IdSet allOurs = new IdSet();
    IdSet allTheirs = new IdSet();
    List<RangeIds> unclear = new ArrayList<>();
    for (RangeIds range : ranges) {
      if (range.first() <= window.settled().throughEpoch()) {
        continue; // Settled here since the digest went out: there is nothing to compare any more.
      }
      IdSet mine = ids(window, range.first(), range.last());
      IdSet theirs = IdSet.of(range.clients());
      IdSet onlyMine = mine.without(theirs);
      IdSet onlyTheirs = theirs.without(mine);
      addEntries(window, onlyMine, theyLack);
      allOurs.addAll(onlyMine);
      allTheirs.addAll(onlyTheirs);
      boolean sameIds = onlyMine.isEmpty() && onlyTheirs.isEmpty();
      if (sameIds && hash(window, range.first(), range.last()) != range.hash()) {
        // The same requests under other stamps: the lower ones count, once both have seen both.
        if (range.last() > range.first()) {
          unclear.add(range);
        } else {
          addEpoch(window.epochs().get(range.first()), differ);
        }
      }
    }
    return new Comparison(allOurs, allTheirs, theyLack, differ, unclear);
  }

  /** The entries that the other wants, as far as they are here and go into one round. */
  List<Entry> wanted(Window window, List<ClientIds> ids) {
    IdSet wanted = IdSet.of(ids);
    List<Entry> found = new ArrayList<>();
    long[] left = {window.size()};
    wanted.forEachWhile(id -> {
      Entry entry = window.find(id);
      if (entry != null) {
        found.add(entry);
      }
      return found.size() < limits.repairMax() && --left[0] > 0;
    });
    return left[0] > 0 ? found : wanted(window, wanted);
  }

  /** By looking through those that are here: what is asked for may be any number. */
  private List<Entry> wanted(Window window, IdSet wanted) {
    List<Entry> entries = new ArrayList<>();
    for (Epoch epoch : window.epochs().values()) {
      for (LogEntry each : epoch.entries()) {
        if (entries.size() == limits.repairMax()) {
          return entries;
        }
        if (wanted.contains(each.entry.id())) {
          entries.add(each.entry);
        }
      }
    }
    return entries;
  }

  /** As many of the entries, from the first one on, as go into one round. */
  Repair repair(Collection<Entry> entries) {
    return repair(entries, limits.repairMax(), limits.repairMaxBytes());
  }

  /** As many of the entries, from the first one on, as a message may carry; at least one. */
  Repair repair(Collection<Entry> entries, int entriesMax, int bytesMax) {
    List<Entry> batch = new ArrayList<>();
    int batchBytes = 0;
    for (Entry entry : entries) {
      batchBytes += entry.body().sizeBytes();
      if (!batch.isEmpty() && (batch.size() == entriesMax || batchBytes > bytesMax)) {
        break;
      }
      batch.add(entry);
    }
    return new Repair(service, self, batch);
  }

  Want want(IdSet ids) {
    return new Want(service, self, ids.toList());
  }

  /** As many as one round may send. */
  private void addEntries(Window window, IdSet ids, List<Entry> entries) {
    ids.forEachWhile(id -> {
      Entry entry = window.find(id);
      if (entry != null) {
        entries.add(entry);
      }
      return entries.size() < limits.repairMax();
    });
  }

  private static void addEpoch(@Nullable Epoch epoch, List<Entry> entries) {
    if (epoch != null) {
      epoch.entries().forEach(each -> entries.add(each.entry));
    }
  }

  private static RangeIds range(Window window, long first, long last) {
    return new RangeIds(first, last, hash(window, first, last), ids(window, first, last).toList());
  }

  private static long hash(Window window, long first, long last) {
    long hash = 0;
    for (Epoch epoch : epochs(window, first, last).values()) {
      hash += epoch.hash();
    }
    return hash;
  }

  private static IdSet ids(Window window, long first, long last) {
    return union(List.copyOf(epochs(window, first, last).values()));
  }

  /** By halves: one epoch after the other would copy the ids of the first one every time. */
  private static IdSet union(List<Epoch> epochs) {
    IdSet ids = new IdSet();
    if (epochs.size() == 1) {
      ids.addAll(epochs.getFirst().ids());
    } else if (!epochs.isEmpty()) {
      int half = epochs.size() / 2;
      ids = union(epochs.subList(0, half));
      ids.addAll(union(epochs.subList(half, epochs.size())));
    }
    return ids;
  }

  private static NavigableMap<Long, Epoch> epochs(Window window, long first, long last) {
    return window.epochs().subMap(first, true, last, true);
  }
}
