package dev.tempest.simulator;

import dev.tempest.state.versioned.Version;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is gone for good where processes write by themselves: a write whose value no replica has,
 * though all have settled it, was removed, replaced, polled or has expired, and no replica shows
 * that value again. Each write has a value of its own: who puts one puts another.
 *
 * <p>Where replicas may have grown apart, what one side has removed may come back from the other.
 */
final class Removals {
  private final Cluster cluster;

  /** By collection the tags of writes whose values are gone. */
  private final Map<String, Set<Long>> gone = new TreeMap<>();

  Removals(Cluster cluster) {
    this.cluster = cluster;
  }

  /** All go back to what they had earlier, or have nothing. */
  void forget() {
    gone.clear();
  }

  /** Throws if something is there again; what is gone by now is remembered. */
  void look() {
    if (cluster.mayHaveGrownApart()) {
      forget();
      return;
    }
    cluster.replicas().stream().filter(ReplicaProcess::isActive).forEach(this::compare);
    if (cluster.replicas().stream().allMatch(ReplicaProcess::isActive)) {
      remember();
    }
  }

  private void compare(ReplicaProcess process) {
    cluster
        .workload()
        .values(process.instance(), process.machine().version())
        .forEach((collection, tags) -> {
          Set<Long> again = new TreeSet<>(tags);
          again.retainAll(gone.getOrDefault(collection, Collections.emptySortedSet()));
          if (!again.isEmpty()) {
            throw new Violation.Found(
                new Violation(
                    Violation.Kind.CAME_BACK,
                    "%s has in %s the values of writes %s, which were removed everywhere"
                        .formatted(process.name, collection, again)));
          }
        });
  }

  private void remember() {
    Workload workload = cluster.workload();
    Set<Long> settled = new TreeSet<>(cluster.history().writes().keySet());
    Map<String, Set<Long>> there = new TreeMap<>();
    for (ReplicaProcess process : cluster.replicas()) {
      Version base = process.machine().base();
      settled.retainAll(workload.tags(process.instance(), base));
      workload
          .values(process.instance(), base)
          .forEach((collection, tags) ->
              there.computeIfAbsent(collection, first -> new TreeSet<>()).addAll(tags));
    }
    there.forEach((collection, tags) -> {
      Set<Long> absent = new TreeSet<>(settled);
      absent.removeAll(tags);
      gone.computeIfAbsent(collection, first -> new TreeSet<>()).addAll(absent);
    });
  }
}
