package dev.tempest.protocol.order.time;

import dev.tempest.wire.Past.Ancestor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whose settled states the one here contains: where {@link History} does not go back far enough, it
 * tells a replica that was away for long from one that has grown apart.
 *
 * <p>Remembers the latest replicas.
 */
final class Lineage {
  private final int most;

  /** By replica, through which epoch. */
  private final SortedMap<Long, Long> ancestors = new TreeMap<>();

  /** Remembers so many replicas. */
  Lineage(int most) {
    this.most = most;
  }

  /** What is settled here contains what another replica has settled through an epoch. */
  void add(long replica, long throughEpoch) {
    if (throughEpoch >= 0) {
      ancestors.merge(replica, throughEpoch, Math::max);
    }
    if (ancestors.size() > most) {
      long oldest =
          ancestors.entrySet().stream()
              .min(Comparator.comparingLong(each -> each.getValue()))
              .orElseThrow()
              .getKey();
      ancestors.remove(oldest);
    }
  }

  /** It contains all that another one contains. */
  void addAll(List<Ancestor> others) {
    others.forEach(each -> add(each.replica(), each.throughEpoch()));
  }

  /** By ascending ids. */
  List<Ancestor> ancestors() {
    List<Ancestor> all = new ArrayList<>(ancestors.size());
    ancestors.forEach((replica, throughEpoch) -> all.add(new Ancestor(replica, throughEpoch)));
    return all;
  }

  /** Through which epoch this and another state both contain what some replica had settled. */
  long common(List<Ancestor> others) {
    return others.stream()
        .mapToLong(
            each -> Math.min(each.throughEpoch(), ancestors.getOrDefault(each.replica(), -1L)))
        .max()
        .orElse(-1);
  }

  /**
   * Whether a state contains what one of some replicas had settled through an epoch.
   *
   * @param ancestors of the state
   */
  static boolean contains(List<Ancestor> ancestors, Collection<Long> replicas, long throughEpoch) {
    return ancestors.stream()
        .anyMatch(each -> each.throughEpoch() >= throughEpoch && replicas.contains(each.replica()));
  }
}
