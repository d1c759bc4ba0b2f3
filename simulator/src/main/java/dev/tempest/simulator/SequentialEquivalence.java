package dev.tempest.simulator;

import dev.tempest.protocol.Mix;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.simulator.Workload.Mark;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state is what executing the updates one by one in the order (stamp, request) gives, on a
 * service that never saw anything arrive late. The state itself tells in which order updates took
 * effect, so that for an update that was stamped several times any of its stamps may have counted.
 * Updates that commute with all others do not say when they did: they are done first.
 */
final class SequentialEquivalence implements Checker {
  /** An update that a replica executed, and how often and when it took effect there. */
  private record Executed(Operation update, Mark mark) {
    Entry at(long stamp) {
      return new Entry(update.ids.iterator().next(), stamp, update.invocation.call());
    }
  }

  /**
   * The effective updates in the order in which they took effect, each with the lowest and the
   * highest of its stamps that fit this order.
   *
   * @param anywhere those that commute with all others, at any place
   */
  private record Order(List<Entry> anywhere, List<Entry> lowest, List<Entry> highest) {}

  @Override
  public List<Violation> check(Evidence evidence) {
    if (evidence.forgottenApart()) {
      return List.of(); // Of some updates only what they had done came together.
    }
    Survivor replica = evidence.replicas().getFirst();
    List<Executed> effective = new ArrayList<>();
    List<Executed> without = new ArrayList<>();
    List<Entry> anywhere = new ArrayList<>();
    for (Operation update : evidence.updates()) {
      if (evidence.has(replica, update)) {
        Mark mark =
            evidence
                .workload()
                .mark(replica.instance(), replica.version(), update.invocation.tag());
        Executed executed = new Executed(update, mark);
        if (mark.executions() > 0 && mark.position() == 0) {
          anywhere.add(executed.at(update.stamps.first()));
        } else {
          (mark.executions() > 0 ? effective : without).add(executed);
        }
      }
    }
    effective.sort(Comparator.comparingLong(executed -> executed.mark().position()));
    ArrayDeque<Entry> lowest = new ArrayDeque<>();
    for (Executed each : effective) {
      Entry entry = lowestAfter(lowest.peekLast(), each);
      if (entry == null) {
        return List.of(outOfOrder(evidence, each, lowest.getLast()));
      }
      lowest.addLast(entry);
    }
    ArrayDeque<Entry> highest = new ArrayDeque<>();
    for (Executed each : effective.reversed()) {
      Entry entry = highestBefore(highest.peekFirst(), each);
      if (entry != null) { // It is not null: the lowest stamps fit.
        highest.addFirst(entry);
      }
    }
    var order = new Order(anywhere, new ArrayList<>(lowest), new ArrayList<>(highest));
    return replay(evidence, replica, order, without);
  }

  private static @Nullable Entry lowestAfter(@Nullable Entry previous, Executed executed) {
    for (long stamp : executed.update().stamps) {
      Entry entry = executed.at(stamp);
      if (previous == null || previous.compareTo(entry) < 0) {
        return entry;
      }
    }
    return null;
  }

  private static @Nullable Entry highestBefore(@Nullable Entry next, Executed executed) {
    for (long stamp : executed.update().stamps.descendingSet()) {
      Entry entry = executed.at(stamp);
      if (next == null || entry.compareTo(next) < 0) {
        return entry;
      }
    }
    return null;
  }

  private static Violation outOfOrder(Evidence evidence, Executed executed, Entry previous) {
    return violation(
        evidence.describe(executed.update())
            + " with stamps "
            + executed.update().stamps.stream().map(Names::stamp).toList()
            + " took effect after "
            + previous.id()
            + " with "
            + Names.stamp(previous.stamp()));
  }

  private static List<Violation> replay(
      Evidence evidence, Survivor replica, Order order, List<Executed> without) {
    ServiceInstance instance = evidence.workload().reference();
    List<Version> versions = new ArrayList<>();
    Version start = instance.emptyVersion();
    for (Entry entry : order.anywhere()) {
      start = execute(instance, start, entry).after();
    }
    versions.add(start);
    for (Entry entry : order.lowest()) {
      Execution execution = execute(instance, versions.getLast(), entry);
      versions.add(execution.after());
      if (!(execution.result() instanceof Result.Returned)) {
        return List.of(
            violation(entry.id() + " took effect, but one by one it gives " + execution.result()));
      }
    }
    if (!versions.getLast().equals(replica.version())) {
      return List.of(
          violation(
              "the state of "
                  + replica.name()
                  + " is not what its "
                  + order.lowest().size()
                  + " effective updates give one by one in their order"));
    }
    List<Violation> violations = new ArrayList<>();
    for (Executed executed : without) {
      if (!mayHaveThrown(instance, versions, order, executed)) {
        violations.add(
            violation(
                evidence.describe(executed.update())
                    + " took no effect, but one by one it returns"));
      }
    }
    return violations;
  }

  /** Whether it throws at any of the places in the order that its stamps may give it. */
  private static boolean mayHaveThrown(
      ServiceInstance instance, List<Version> versions, Order order, Executed executed) {
    for (long stamp : executed.update().stamps) {
      Entry entry = executed.at(stamp);
      for (int before = 0; before < versions.size(); before++) {
        boolean fits =
            (before == 0 || order.lowest().get(before - 1).compareTo(entry) < 0)
                && (before == order.highest().size()
                    || entry.compareTo(order.highest().get(before)) < 0);
        if (fits
            && execute(instance, versions.get(before), entry).result() instanceof Result.Threw) {
          return true;
        }
      }
    }
    return false;
  }

  private static Execution execute(ServiceInstance instance, Version before, Entry entry) {
    long seed = Mix.hash(entry.id()); // Elements of lists get their places from it.
    Call call = (Call) entry.body(); // As its client sent it.
    return instance.update(before, call.method(), call.arguments(), 0, seed);
  }

  private static Violation violation(String sentence) {
    return new Violation(Violation.Kind.OUT_OF_ORDER, sentence);
  }
}
