package dev.tempest.protocol.order.time;

import dev.tempest.wire.Entry;
import dev.tempest.wire.IntervalSet;
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

/**
 * Compares what two replicas have executed and picks what each lacks: the sets of Tempest's gossip
 * (section 3.2), with the invocations travelling in place of the objects, and sums of hashes in
 * place of sets that grow for ever.
 *
 * <p>Only reads the window; does not decide when to gossip, and does not order.
 */
final class AntiEntropy {
  /** Entries that one repair message carries at most. */
  static final int REPAIR_ENTRIES_MAX = 256;

  /** Bytes of arguments after which a repair message is full. */
  static final int REPAIR_BYTES_MAX = 32_768;

  /** Keeps a repair within a short train of messages; the rest follows in the next round. */
  static final int REPAIR_MESSAGES_MAX = 32;

  private final long service;
  private final long self;

  AntiEntropy(long service, long self) {
    this.service = service;
    this.self = self;
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

  /** The ids here in each epoch of a range whose ids are equal but whose hashes are not. */
  List<RangeIds> byEpoch(Window window, RangeIds range) {
    List<RangeIds> ranges = new ArrayList<>();
    for (long number : epochs(window, range.first(), range.last()).keySet()) {
      ranges.add(range(window, number, number));
    }
    return ranges;
  }

  /** What is to be done about the other's ids. */
  record Comparison(List<Entry> theyLack, List<ClientIds> weLack, List<RangeIds> unclear) {}

  /** Compares the other's ids with the window. */
  Comparison compare(Window window, List<RangeIds> ranges) {
    List<Entry> theyLack = new ArrayList<>();
    TreeMap<Long, IntervalSet> weLack = new TreeMap<>();
    List<RangeIds> unclear = new ArrayList<>();
    for (RangeIds range : ranges) {
      if (range.first() <= window.settled().throughEpoch()) {
        continue; // Settled here since the digest went out: there is nothing to compare any more.
      }
      TreeMap<Long, IntervalSet> theirs = new TreeMap<>();
      range.clients().forEach(ids -> theirs.put(ids.client(), ids.sequences()));
      RangeIds mine = range(window, range.first(), range.last());
      addTheyLack(window, range, theirs, theyLack);
      addWeLack(mine, theirs, weLack);
      boolean sameIds = mine.clients().equals(range.clients());
      if (sameIds && mine.hash() != range.hash()) {
        // The same requests under other stamps: the lower ones count, once both have seen both.
        if (range.last() > range.first()) {
          unclear.add(range);
        } else {
          theyLack.addAll(window.epoch(range.first()));
        }
      }
    }
    return new Comparison(theyLack, clientIds(weLack), unclear);
  }

  /** The entries that the other wants, as far as they are here. */
  List<Entry> wanted(Window window, List<ClientIds> ids) {
    List<Entry> entries = new ArrayList<>();
    TreeMap<Long, IntervalSet> byClient = new TreeMap<>();
    ids.forEach(each -> byClient.put(each.client(), each.sequences()));
    // By the window and not by the ids: those say how many there are, and may say too many.
    for (Epoch epoch : window.epochs().values()) {
      for (LogEntry each : epoch.entries()) {
        IntervalSet sequences = byClient.get(each.entry.id().client());
        if (sequences != null && sequences.contains(each.entry.id().sequence())) {
          entries.add(each.entry);
        }
      }
    }
    return entries;
  }

  /** The entries in messages of bounded size, as many as one round may send. */
  List<Repair> repairs(Collection<Entry> entries) {
    List<Repair> repairs = new ArrayList<>();
    List<Entry> batch = new ArrayList<>();
    int batchBytes = 0;
    for (Entry entry : entries) {
      int sizeBytes = entry.body().sizeBytes();
      if (!batch.isEmpty()
          && (batch.size() == REPAIR_ENTRIES_MAX || batchBytes + sizeBytes > REPAIR_BYTES_MAX)) {
        repairs.add(new Repair(service, self, batch));
        batch = new ArrayList<>();
        batchBytes = 0;
        if (repairs.size() == REPAIR_MESSAGES_MAX) {
          return repairs;
        }
      }
      batch.add(entry);
      batchBytes += sizeBytes;
    }
    if (!batch.isEmpty()) {
      repairs.add(new Repair(service, self, batch));
    }
    return repairs;
  }

  Want want(List<ClientIds> ids) {
    return new Want(service, self, ids);
  }

  private static void addTheyLack(
      Window window,
      RangeIds range,
      SortedMap<Long, IntervalSet> theirs,
      Collection<Entry> theyLack) {
    for (Epoch epoch : epochs(window, range.first(), range.last()).values()) {
      for (LogEntry each : epoch.entries()) {
        IntervalSet sequences = theirs.get(each.entry.id().client());
        if (sequences == null || !sequences.contains(each.entry.id().sequence())) {
          theyLack.add(each.entry);
        }
      }
    }
  }

  private static void addWeLack(
      RangeIds mine, SortedMap<Long, IntervalSet> theirs, SortedMap<Long, IntervalSet> weLack) {
    TreeMap<Long, IntervalSet> ours = new TreeMap<>();
    mine.clients().forEach(ids -> ours.put(ids.client(), ids.sequences()));
    theirs.forEach((client, sequences) -> {
      IntervalSet lacking = sequences.without(ours.getOrDefault(client, new IntervalSet()));
      if (!lacking.isEmpty()) {
        weLack.computeIfAbsent(client, absent -> new IntervalSet()).addAll(lacking);
      }
    });
  }

  private static RangeIds range(Window window, long first, long last) {
    TreeMap<Long, IntervalSet> sets = new TreeMap<>();
    IntervalSet set = new IntervalSet();
    long client = 0; // Mostly that of the entry before.
    long hash = 0;
    for (Epoch epoch : epochs(window, first, last).values()) {
      hash += epoch.hash();
      for (LogEntry each : epoch.entries()) {
        if (sets.isEmpty() || each.entry.id().client() != client) {
          client = each.entry.id().client();
          set = sets.computeIfAbsent(client, absent -> new IntervalSet());
        }
        set.add(each.entry.id().sequence());
      }
    }
    return new RangeIds(first, last, hash, clientIds(sets));
  }

  private static NavigableMap<Long, Epoch> epochs(Window window, long first, long last) {
    return window.epochs().subMap(first, true, last, true);
  }

  private static List<ClientIds> clientIds(SortedMap<Long, IntervalSet> sets) {
    List<ClientIds> ids = new ArrayList<>(sets.size());
    sets.forEach((client, set) -> ids.add(new ClientIds(client, set)));
    return ids;
  }
}
