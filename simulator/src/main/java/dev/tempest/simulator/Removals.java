package dev.tempest.simulator;

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
    Workload workload = cluster.workload();
    ReplicaMachine machine = process.machine();
    workload
        .values(process.instance(), machine.version())
        .forEach((collection, tags) -> {
          for (long tag : tags) {
            if (gone.getOrDefault(collection, Collections.emptySet()).contains(tag)) {
              throw new Violation.Found(
                  new Violation(
                      Violation.Kind.CAME_BACK,
                      process.name
                          + " has in "
                          + collection
                          + " the value of write "
                          + tag
                          + ", which was removed everywhere"));
            }
          }
        });
  }

  private void remember() {
    Workload workload = cluster.workload();
    Set<Long> settled = null;
    Map<String, Set<Long>> there = new TreeMap<>();
    for (ReplicaProcess process : cluster.replicas()) {
      var base = process.machine().base();
      Set<Long> tags = workload.tags(process.instance(), base);
      if (settled == null) {
        settled = new TreeSet<>(tags);
      } else {
        settled.retainAll(tags);
      }
      workload
          .values(process.instance(), base)
          .forEach((collection, values) ->
              there.computeIfAbsent(collection, first -> new TreeSet<>()).addAll(values));
    }
    for (Map.Entry<String, Set<Long>> each : there.entrySet()) {
      Set<Long> absent = settled == null ? new TreeSet<>() : new TreeSet<>(settled);
      absent.removeAll(each.getValue());
      gone.computeIfAbsent(each.getKey(), first -> new TreeSet<>()).addAll(absent);
    }
  }
}
