package dev.tempest.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Searches for an order of actions that explains what each was told: one in which whatever began
 * after another one had ended comes after it, and in which each gives, executed alone, what it gave
 * (Wing and Gong, Testing and Verifying Concurrent Objects). What nobody knows the end of may be
 * left out. Contents that the same actions have led to before are not looked at again.
 */
final class Linearization {
  /** So often an action is tried until the search is too large. */
  private static final int TRIES_MAX = 20_000;

  /** What a search comes to. */
  enum Verdict {
    /** There is an order. */
    EXPLAINED,
    /** There is none. */
    IMPOSSIBLE,
    /** There are too many to tell. */
    NOT_KNOWN
  }

  /** What actions have led to. */
  private record Contents(SortedMap<String, Long> map, List<Long> deque) {
    /** What an action makes of them; null if it would have given something else. */
    @Nullable Contents after(ThreadAction action) {
      SortedMap<String, Long> newMap = new TreeMap<>(map);
      ArrayDeque<Long> newDeque = new ArrayDeque<>(deque);
      return action.with(newMap, newDeque).equals(action.results())
          ? new Contents(newMap, List.copyOf(newDeque))
          : null;
    }
  }

  /** Where a search has been. */
  private record Visited(BitSet done, Contents contents) {}

  /** An action that was put in, and what was there before it. */
  private record Step(int action, Contents before) {}

  /** By their ends: of those that are not put in, the first says what may come next. */
  private final List<ThreadAction> actions;

  private final int ended;
  private final BitSet done = new BitSet();
  private final ArrayDeque<Step> path = new ArrayDeque<>();
  private final Set<Visited> visited = new LinkedHashSet<>();
  private Contents contents = new Contents(new TreeMap<>(), List.of());
  private int tries;
  private String farthest = "";
  private int farthestSteps = -1;

  /** Of actions that count, or may; with nothing in the collections at first. */
  Linearization(List<ThreadAction> actions) {
    this.actions = new ArrayList<>(actions);
    this.actions.sort(
        Comparator.comparingLong(ThreadAction::untilNanos)
            .thenComparingLong(action -> action.fromNanos));
    this.ended =
        (int) actions.stream().filter(each -> each.end() == ThreadAction.End.COUNTS).count();
  }

  /** Searches. */
  Verdict search() {
    int next = 0;
    while (done.nextClearBit(0) < ended) {
      int candidate = candidate(next);
      if (candidate < 0) {
        noteFarthest();
        Step last = path.poll();
        if (last == null) {
          return Verdict.IMPOSSIBLE;
        }
        done.clear(last.action());
        contents = last.before();
        next = last.action() + 1;
        continue;
      }
      if (++tries > TRIES_MAX) {
        return Verdict.NOT_KNOWN;
      }
      next = tryNext(candidate) ? 0 : candidate + 1;
    }
    return Verdict.EXPLAINED;
  }

  /** The first that may come next, from there on; -1 if there is none. */
  private int candidate(int from) {
    long untilNanos = actions.get(done.nextClearBit(0)).untilNanos();
    for (int i = done.nextClearBit(from); i < actions.size(); i = done.nextClearBit(i + 1)) {
      if (actions.get(i).fromNanos <= untilNanos) {
        return i;
      }
    }
    return -1;
  }

  private boolean tryNext(int candidate) {
    Contents after = contents.after(actions.get(candidate));
    if (after == null) {
      return false;
    }
    done.set(candidate);
    if (!visited.add(new Visited((BitSet) done.clone(), after))) {
      done.clear(candidate);
      return false;
    }
    path.push(new Step(candidate, contents));
    contents = after;
    return true;
  }

  private void noteFarthest() {
    if (path.size() > farthestSteps) {
      farthestSteps = path.size();
      List<ThreadAction> next = new ArrayList<>();
      for (int i = candidate(0); i >= 0; i = candidate(i + 1)) {
        next.add(actions.get(i));
      }
      farthest =
          "after %d of %d, with %s, comes none of %s"
              .formatted(path.size(), actions.size(), contents, next);
    }
  }

  /** Where the search came farthest. */
  String farthest() {
    return farthest;
  }
}
