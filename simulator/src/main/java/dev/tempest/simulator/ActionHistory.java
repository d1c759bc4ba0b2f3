package dev.tempest.simulator;

import dev.tempest.simulator.Linearization.Verdict;
import dev.tempest.simulator.ThreadAction.End;
import dev.tempest.simulator.Violation.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What threads did with a map and a deque, and whether what they were told can be true. */
final class ActionHistory {
  private final List<ThreadAction> actions = new ArrayList<>();
  private long undecided;

  void add(ThreadAction action) {
    actions.add(action);
  }

  List<ThreadAction> all() {
    return actions;
  }

  /** In how many searches there was too much to search. */
  long undecided() {
    return undecided;
  }

  /** How many that threads with such names began since then were answered. */
  long answered(String prefix, long sinceNanos) {
    return actions.stream()
        .filter(each -> each.thread.startsWith(prefix) && each.fromNanos >= sinceNanos)
        .filter(each -> each.end() == End.COUNTS)
        .count();
  }

  /** What is wrong with it; its end is to tell what is left in the collections. */
  List<Violation> wrong() {
    List<Violation> wrong = new ArrayList<>();
    checkPolls(wrong);
    parts()
        .forEach((concerned, part) -> {
          Linearization search = new Linearization(part);
          Verdict verdict = search.search();
          undecided += verdict == Verdict.NOT_KNOWN ? 1 : 0;
          if (verdict == Verdict.IMPOSSIBLE) {
            wrong.add(
                new Violation(
                    Kind.OUT_OF_ORDER,
                    "no order explains what was told of %s: %s"
                        .formatted(concerned, search.farthest())));
          }
        });
    return wrong;
  }

  /** Each element is handed out once, and none is lost. */
  private void checkPolls(List<Violation> wrong) {
    Map<Long, ThreadAction> polledBy = new TreeMap<>();
    Set<Long> found = new TreeSet<>();
    forEachDeed((action, deed, given) -> {
      if (deed.polls() && given != null) {
        found.add(given);
        ThreadAction other = action.end() == End.COUNTS ? polledBy.put(given, action) : null;
        if (other != null) {
          wrong.add(
              new Violation(
                  Kind.NOT_ONCE, "%d was handed out by %s and %s".formatted(given, other, action)));
        }
      }
    });
    forEachDeed((action, deed, given) -> {
      if (deed.adds() && action.end() == End.COUNTS && !found.contains(deed.tag())) {
        wrong.add(
            new Violation(
                Kind.LOST,
                "%d is not in the deque, was handed out to nobody, and was added by %s"
                    .formatted(deed.tag(), action)));
      }
    });
  }

  private interface Visitor {
    void visit(ThreadAction action, Deed deed, @Nullable Long given);
  }

  private void forEachDeed(Visitor visitor) {
    for (ThreadAction action : actions) {
      for (int i = 0; action.end() != End.NEVER && i < action.deeds.size(); i++) {
        visitor.visit(action, action.deeds.get(i), action.results().get(i));
      }
    }
  }

  /**
   * Those that concern the same, or what a third one concerns as well: what concerns nothing in
   * common can be put in order apart (Herlihy and Wing, Linearizability: a local property).
   */
  private Map<Set<String>, List<ThreadAction>> parts() {
    Map<String, Set<String>> together = new TreeMap<>();
    List<ThreadAction> told =
        actions.stream()
            .filter(each ->
                each.end() == End.COUNTS || (each.end() == End.UNKNOWN && !each.onlyReads()))
            .toList();
    for (ThreadAction action : told) {
      Set<String> all = new TreeSet<>(action.concerns());
      for (String each : action.concerns()) {
        all.addAll(together.getOrDefault(each, new TreeSet<>()));
      }
      all.forEach(each -> together.put(each, all));
    }
    Map<Set<String>, List<ThreadAction>> parts = new LinkedHashMap<>();
    for (ThreadAction action : told) {
      Set<String> part = together.get(action.concerns().iterator().next());
      parts.computeIfAbsent(Objects.requireNonNull(part), none -> new ArrayList<>()).add(action);
    }
    return parts;
  }
}
