package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What clients of a {@link Counting} were told. The number that an operation gives says where in
 * the one order it took effect: so whether there is such an order can be told without a search.
 */
final class CountingHistory {
  /** One of them. */
  static final class Operation {
    final boolean isUpdate;
    final long fromNanos;
    boolean givenUp;

    /** What it gave; -1 while nobody knows. */
    long value = -1;

    long untilNanos = Long.MAX_VALUE;

    Operation(boolean isUpdate, long fromNanos) {
      this.isUpdate = isUpdate;
      this.fromNanos = fromNanos;
    }

    boolean isOpen() {
      return value < 0 && !givenUp;
    }

    void answered(long gave, long nowNanos) {
      value = gave;
      untilNanos = nowNanos;
    }
  }

  private final List<Operation> operations = new ArrayList<>();

  void add(Operation operation) {
    operations.add(operation);
  }

  List<Operation> operations() {
    return operations;
  }

  /** How many that began since then were answered. */
  long answered(long sinceNanos) {
    return operations.stream()
        .filter(each -> each.value >= 0 && each.fromNanos >= sinceNanos)
        .count();
  }

  /** What is wrong with it; nothing if it is linearizable, and no update counted twice. */
  List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    Set<Long> given = new TreeSet<>();
    long updates = operations.stream().filter(each -> each.isUpdate).count();
    List<Operation> known = operations.stream().filter(each -> each.value >= 0).toList();
    for (Operation each : known) {
      if (each.isUpdate && !given.add(each.value)) {
        wrong.add("two updates gave " + each.value);
      }
      if (each.value > updates) {
        wrong.add("of %d updates one gave %d".formatted(updates, each.value));
      }
    }
    // Whatever began after another one had ended comes after it.
    List<Operation> byEnd = new ArrayList<>(known);
    byEnd.sort(Comparator.comparingLong(each -> each.untilNanos));
    List<Operation> byBegin = new ArrayList<>(known);
    byBegin.sort(Comparator.comparingLong(each -> each.fromNanos));
    long highest = 0;
    int ended = 0;
    for (Operation each : byBegin) {
      while (ended < byEnd.size() && byEnd.get(ended).untilNanos < each.fromNanos) {
        highest = Math.max(highest, byEnd.get(ended++).value);
      }
      if (each.value < highest || (each.isUpdate && each.value == highest)) {
        wrong.add(
            "%s gave %d, after another one had given %d"
                .formatted(each.isUpdate ? "an update" : "a read", each.value, highest));
      }
    }
    return wrong;
  }
}
