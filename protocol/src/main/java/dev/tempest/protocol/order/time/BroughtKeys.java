package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The keys that other replicas of this side have {@linkplain EntriesAgain brought} as a whole to a
 * state, before this one takes it. Their ids say what each had settled: what is settled here, was,
 * or will be, since two replicas of one side nearly always differ by some epochs.
 */
final class BroughtKeys {
  private final Window window;
  private final Prefix settledHere;

  /** Those that have all in them that is settled here. */
  private final List<Entry> complete = new ArrayList<>(0);

  private final List<Entry> others;
  private long throughEpoch = -1;
  private long stampAfter;

  /**
   * Finds them among entries.
   *
   * @param window still without the state that is to be taken
   * @param theirs whose updates are settled there: some may have come here since the two met again,
   *     of which those of this side knew nothing when they settled, and others before the two
   *     parted
   */
  BroughtKeys(List<Entry> entries, Window window, ClientTable theirs) {
    this.window = window;
    this.settledHere = window.settled();
    this.others = new ArrayList<>(entries.size());
    Map<Long, Prefix> sums = sums(window, theirs);
    for (Entry entry : entries) {
      Prefix sum = sums.get(entry.id().sequence());
      if (sum == null || !EntriesAgain.isLacking(entry, sum) || !add(entry, sum)) {
        others.add(entry);
      }
    }
  }

  /** What this side had settled, has, and will have, by the number of entries. */
  private static Map<Long, Prefix> sums(Window window, ClientTable theirs) {
    Map<Long, Prefix> sums = new LinkedHashMap<>();
    window.history().prefixes().forEach(each -> sums.put(each.count(), each));
    sums.put(window.settled().count(), window.settled());
    addSums(sums, window, id -> true);
    addSums(sums, window, id -> !theirs.contains(id));
    return sums;
  }

  /** With what it has not settled; of that, others of this side knew only these. */
  private static void addSums(Map<Long, Prefix> sums, Window window, Predicate<RequestId> known) {
    Prefix sum = window.settled();
    for (Epoch epoch : window.epochs().values()) {
      long count = sum.count();
      long hash = sum.hash();
      for (LogEntry each : epoch.entries()) {
        if (known.test(each.entry.id())) {
          count++;
          hash += Mix.hash(each.entry);
        }
      }
      sum = new Prefix(epoch.number, count, hash);
      sums.putIfAbsent(count, sum);
    }
  }

  /** Takes keys of one that had settled this; false if they do not have all that settled here. */
  private boolean add(Entry keys, Prefix settledThere) {
    stampAfter = Math.max(stampAfter, keys.stamp() + 1);
    if (settledThere.count() < settledHere.count()) {
      return false;
    }
    throughEpoch = Math.max(throughEpoch, settledThere.throughEpoch());
    return complete.add(keys);
  }

  /** Those that have all in them that is settled here: what that has merged into them is there. */
  List<Entry> complete() {
    return complete;
  }

  /** All other entries. */
  List<Entry> others() {
    return others;
  }

  /** Whether they have an entry, be it settled here or not: it was where they come from. */
  boolean have(Entry entry) {
    return window.epochOf(entry) <= throughEpoch;
  }

  /**
   * The first stamp after all of them. They count only where a key is lacking: what comes before
   * them takes their place.
   */
  long stampAfter() {
    return stampAfter;
  }
}
