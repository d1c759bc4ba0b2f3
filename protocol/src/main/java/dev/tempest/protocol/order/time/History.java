package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Message.Prefix;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What was settled at the end of earlier epochs: tells a replica that is behind from one that has
 * settled something else.
 *
 * <p>Remembers some of the latest epochs that had entries; of what lies before it says that it does
 * not know it.
 */
final class History {
  private final int epochsMax;
  private final ArrayDeque<Prefix> prefixes = new ArrayDeque<>();

  /** Of so many epochs at most; equal at all replicas. */
  History(int epochsMax) {
    this.epochsMax = epochsMax;
  }

  /** Takes what is settled with one more epoch. */
  void add(Prefix prefix) {
    if (prefixes.size() == epochsMax) {
      prefixes.removeFirst();
    }
    prefixes.addLast(prefix);
  }

  /** Takes another history in place of this one. */
  void replace(List<Prefix> others) {
    prefixes.clear();
    others.stream().skip(Math.max(0, others.size() - epochsMax)).forEach(prefixes::addLast);
  }

  /** The last epoch that had entries; -1 if none had. */
  long lastEpoch() {
    return prefixes.isEmpty() ? -1 : prefixes.getLast().throughEpoch();
  }

  List<Prefix> prefixes() {
    return new ArrayList<>(prefixes);
  }

  /**
   * Whether a replica that has settled {@code last} went through {@code prefix}: through nothing
   * every one did.
   *
   * @param history the latest of what it had settled at the end of earlier epochs, ascending
   */
  static boolean leadsThrough(Iterable<Prefix> history, Prefix last, Prefix prefix) {
    if (prefix.count() == 0) {
      return true;
    }
    if (prefix.throughEpoch() > last.throughEpoch()) {
      return false;
    }
    Prefix settledThen = null;
    for (Prefix each : history) {
      if (each.throughEpoch() <= prefix.throughEpoch()) {
        settledThen = each;
      }
    }
    return same(prefix, last) || (settledThen != null && same(prefix, settledThen));
  }

  /**
   * Whether the history of another replica goes back as far as a prefix: then it tells if it went
   * through it.
   */
  boolean reaches(List<Prefix> others, Prefix prefix) {
    return others.size() < epochsMax || others.getFirst().throughEpoch() <= prefix.throughEpoch();
  }

  /** Whether this, which ended in {@code last}, went through {@code prefix}. */
  boolean leadsThrough(Prefix last, Prefix prefix) {
    return leadsThrough(prefixes, last, prefix);
  }

  /** Whether nothing that it remembers says that this, which ended in {@code last}, did not. */
  boolean mayLeadThrough(Prefix last, Prefix prefix) {
    boolean forgotten =
        prefixes.size() == epochsMax && prefix.throughEpoch() < prefixes.getFirst().throughEpoch();
    return forgotten || leadsThrough(last, prefix);
  }

  /** Throws if it is not one that ended in {@code last}. */
  void checkInvariants(Prefix last) {
    Invariant.check(prefixes.size() <= epochsMax, "no more epochs are remembered than may be");
    Prefix earlier = null;
    for (Prefix each : prefixes) {
      Invariant.check(
          earlier == null
              || (earlier.throughEpoch() < each.throughEpoch() && earlier.count() < each.count()),
          "with every epoch that had entries more is settled");
      earlier = each;
    }
    Invariant.check(
        earlier == null || (earlier.throughEpoch() <= last.throughEpoch() && same(earlier, last)),
        "the last epoch that had entries led to what is settled");
  }

  private static boolean same(Prefix one, Prefix other) {
    return one.count() == other.count() && one.hash() == other.hash();
  }
}
