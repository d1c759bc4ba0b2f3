package dev.tempest.simulator;

import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What clients of a {@link Counting} were told. The number that an operation gives says where in
 * the one order it took effect: so whether there is such an order can be told without a search.
 */
final class CountingHistory {
  /** One of them. */
  static final class Operation {
    final int client;
    final boolean isUpdate;
    final long fromNanos;
    boolean givenUp;

    /** What it gave; -1 while nobody knows. */
    long value = -1;

    long untilNanos = Long.MAX_VALUE;

    Operation(int client, boolean isUpdate, long fromNanos) {
      this.client = client;
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

  /** Whether the last that each client asked for was answered. */
  boolean endsWithAnswers() {
    Map<Integer, Operation> last = new TreeMap<>();
    operations.forEach(each -> last.put(each.client, each));
    return last.values().stream().allMatch(each -> each.value >= 0);
  }

  /** How many of these were updates. */
  long updatesAnswered(long sinceNanos) {
    return operations.stream()
        .filter(each -> each.isUpdate && each.value >= 0 && each.fromNanos >= sinceNanos)
        .count();
  }

  /**
   * What is wrong with it; nothing if no update counted twice, and all are linearizable, together
   * with those reads that have to be.
   */
  List<String> wrong(Reads shown) {
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
    switch (shown) {
      case LINEARIZABLE, LEASE, LOCAL -> checkOrder(known, wrong);
      case SESSION -> {
        checkOrder(known.stream().filter(each -> each.isUpdate).toList(), wrong);
        Map<Integer, List<Operation>> ofClients = new TreeMap<>();
        known.forEach(
            each -> ofClients.computeIfAbsent(each.client, none -> new ArrayList<>()).add(each));
        ofClients.values().forEach(ofClient -> checkOrder(ofClient, wrong));
      }
      case STALE -> checkOrder(known.stream().filter(each -> each.isUpdate).toList(), wrong);
    }
    return wrong;
  }

  /** Whatever began after another one had ended comes after it. */
  private static void checkOrder(List<Operation> known, List<String> wrong) {
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
  }
}
