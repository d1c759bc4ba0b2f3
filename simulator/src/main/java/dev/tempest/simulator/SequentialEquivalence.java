package dev.tempest.simulator;

import dev.tempest.service.Execution;
import dev.tempest.service.Result;
import dev.tempest.service.ServiceInstance;
import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.simulator.Workload.Mark;
import dev.tempest.state.Version;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state is what executing the updates one by one in the order (stamp, request) gives, on a
 * service that never saw anything arrive late. The state itself tells in which order updates took
 * effect, so that for an update that was stamped several times any of its stamps may have counted.
 */
final class SequentialEquivalence implements Checker {
  /** An update that took effect, or that was executed and threw. */
  private record Step(Operation update, RequestId id, Mark mark) {}

  @Override
  public List<Violation> check(Evidence evidence) {
    Survivor replica = evidence.replicas().getFirst();
    List<Step> effective = new ArrayList<>();
    List<Step> without = new ArrayList<>();
    for (Operation update : evidence.updates()) {
      if (replica.hasExecuted(update)) {
        Mark mark =
            evidence
                .workload()
                .mark(replica.instance(), replica.version(), update.invocation.tag());
        (mark.executions() > 0 ? effective : without)
            .add(new Step(update, update.ids.iterator().next(), mark));
      }
    }
    effective.sort(Comparator.comparingLong(step -> step.mark().position()));
    List<Entry> order = new ArrayList<>();
    for (Step step : effective) {
      Entry entry = lowestAfter(order.isEmpty() ? null : order.getLast(), step);
      if (entry == null) {
        return List.of(outOfOrder(evidence, step, order.getLast()));
      }
      order.add(entry);
    }
    return replay(evidence, replica, order, without);
  }

  private static @Nullable Entry lowestAfter(@Nullable Entry previous, Step step) {
    for (long stamp : step.update().stamps) {
      Entry entry = new Entry(step.id(), stamp, step.update().invocation.call());
      if (previous == null || previous.compareTo(entry) < 0) {
        return entry;
      }
    }
    return null;
  }

  private static Violation outOfOrder(Evidence evidence, Step step, Entry previous) {
    return violation(
        evidence.describe(step.update())
            + " with stamps "
            + step.update().stamps.stream().map(Names::stamp).toList()
            + " took effect after "
            + previous.id()
            + " with "
            + Names.stamp(previous.stamp()));
  }

  private static List<Violation> replay(
      Evidence evidence, Survivor replica, List<Entry> effective, List<Step> without) {
    List<Entry> all = new ArrayList<>(effective);
    for (Step step : without) {
      // With several stamps nobody can tell which counted; it had no effect with any.
      if (step.update().stamps.size() == 1) {
        long stamp = step.update().stamps.iterator().next();
        all.add(new Entry(step.id(), stamp, step.update().invocation.call()));
      }
    }
    all.sort(null);
    ServiceInstance instance = evidence.workload().reference();
    Version version = instance.emptyVersion();
    for (Entry entry : all) {
      Execution execution =
          instance.update(version, entry.call().method(), entry.call().arguments(), 0, 0);
      version = execution.after();
      boolean shouldReturn = effective.contains(entry);
      if (execution.result() instanceof Result.Returned != shouldReturn) {
        return List.of(
            violation(
                entry.id()
                    + (shouldReturn ? " took effect" : " did not take effect")
                    + " at "
                    + replica.name()
                    + ", but one by one it gives "
                    + execution.result()));
      }
    }
    return version.equals(replica.version())
        ? List.of()
        : List.of(
            violation(
                "the state of "
                    + replica.name()
                    + " is not what its "
                    + all.size()
                    + " updates give one by one in their order"));
  }

  private static Violation violation(String sentence) {
    return new Violation(Violation.Kind.OUT_OF_ORDER, sentence);
  }
}
