package dev.tempest.simulator;

import dev.tempest.wire.Seen;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.TreeSet;

/**
 * What processes that write by themselves say that they have seen, and whether others see as much
 * once they say that they have seen it, too.
 */
final class Handles {
  private static final int KEPT_MAX = 8;

  /**
   * A handle.
   *
   * @param from who said so
   * @param tags of the writes that had taken effect there
   */
  private record Taken(String from, Seen seen, Set<Long> tags) {}

  private final Cluster cluster;
  private final ArrayDeque<Taken> taken = new ArrayDeque<>();

  Handles(Cluster cluster) {
    this.cluster = cluster;
  }

  /** A process says what it has seen; the oldest handle is forgotten for it. */
  void take(ReplicaProcess process) {
    if (!process.isActive()) {
      return;
    }
    Seen seen = process.machine().seen();
    cluster.limitsMet().asked(seen);
    if (seen != null) {
      taken.addLast(new Taken(process.name, seen, new TreeSet<>(process.tags())));
      if (taken.size() > KEPT_MAX) {
        taken.removeFirst();
      }
    }
  }

  /** All go back to what they had earlier, or have nothing: what handles say may be lost. */
  void forget() {
    taken.clear();
  }

  /**
   * Whoever has seen what a handle says has the writes; but who has forgotten a client, or an
   * epoch, takes for settled what another one had settled apart, or before all lost it. And what
   * was put in again of that may have its id before the key comes, which comes as a whole.
   */
  void compare() {
    boolean allMayHaveLost = cluster.history().losses() >= cluster.replicas().size();
    boolean mayHaveForgotten =
        (cluster.mayHaveGrownApart() || allMayHaveLost) && !cluster.parameters().remembersAll();
    if (mayHaveForgotten || cluster.history().hasSettledApart()) {
      return;
    }
    cluster.replicas().stream().filter(ReplicaProcess::isActive).forEach(this::compare);
  }

  private void compare(ReplicaProcess process) {
    Set<Long> tags = process.tags();
    for (Taken handle : taken) {
      if (!tags.containsAll(handle.tags()) && process.machine().hasSeen(handle.seen())) {
        Set<Long> lacking = new TreeSet<>(handle.tags());
        lacking.removeAll(tags);
        throw new Violation.Found(
            new Violation(
                Violation.Kind.UNSEEN,
                process.name
                    + " says that it has seen all that "
                    + handle.from()
                    + " had, and lacks writes "
                    + lacking));
      }
    }
  }

  /** Whether each process has seen all that each has. */
  boolean areSeenByAll() {
    taken.clear();
    cluster.replicas().forEach(this::take);
    compare();
    return taken.size() == Math.min(KEPT_MAX, cluster.replicas().size())
        && cluster.replicas().stream()
            .allMatch(
                each -> taken.stream().allMatch(handle -> each.machine().hasSeen(handle.seen())));
  }
}
