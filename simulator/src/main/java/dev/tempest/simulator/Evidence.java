package dev.tempest.simulator;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * What checkers judge by: what was seen during a run, and the replicas after it.
 *
 * @param workload what ran
 * @param operations what clients asked for
 * @param replicas all of them, at rest
 * @param lostMemory whether an incarnation lost its memory
 * @param memoryWasKept whether none did
 * @param writes of the processes themselves, by tag, and who is known to have had each
 * @param writeIds under which id each of these travels, by tag
 * @param shown by tag who was seen to have the effect of each of them
 * @param acks how many replicas have to have executed an update before it ends
 * @param apart whether replicas may have settled what others lacked
 * @param settledApart whether some had
 * @param forgottenApart whether some of that may have been forgotten when they met again
 * @param countsExactly whether they remember enough to count exactly even if they have
 * @param littleMemory whether replicas may have refused what clients asked, because they were full
 * @param fewAnswers whether replicas may have dropped answers before clients had them
 * @param fewSeen whether clients may have seen more than they can be told
 * @param takeTurns whether updates wait until earlier ones of their front-ends have ended
 * @param divergences what replicas said of them
 * @param limitsMet which of the limits that are scaled down
 */
record Evidence(
    Workload workload,
    List<Operation> operations,
    List<Survivor> replicas,
    Predicate<Incarnation> lostMemory,
    boolean memoryWasKept,
    SortedMap<Long, Set<Incarnation>> writes,
    SortedMap<Long, RequestId> writeIds,
    Map<Long, Set<Incarnation>> shown,
    int acks,
    boolean apart,
    boolean settledApart,
    boolean forgottenApart,
    boolean countsExactly,
    boolean littleMemory,
    boolean fewAnswers,
    boolean fewSeen,
    boolean takeTurns,
    List<Divergence> divergences,
    Set<LimitsMet.Limit> limitsMet) {

  /** A replica said that the same updates have led to other contents of these collections. */
  record Divergence(String replica, List<String> collections) {}

  /**
   * A replica after the run.
   *
   * @param instance the service that made the version
   * @param executed whether it says that it executed an update
   * @param forgot whether it says that it may have executed updates of a client, and forgotten it
   */
  record Survivor(
      String name,
      ServiceInstance instance,
      Version version,
      ServiceStatus status,
      Predicate<RequestId> executed,
      LongPredicate forgot) {
    boolean knows(Operation update) {
      return update.ids.stream().anyMatch(executed);
    }

    boolean hasForgotten(Operation update) {
      return update.ids.stream().anyMatch(id -> forgot.test(id.client()));
    }
  }

  static Evidence of(Cluster cluster) {
    List<Survivor> survivors = new ArrayList<>();
    // Replicas at rest see to what has expired at their own moments: all are to have by now.
    long latestMillis =
        cluster.replicas().stream().mapToLong(ReplicaProcess::nowMillis).max().orElse(0);
    for (ReplicaProcess process : cluster.replicas()) {
      process.noteExecuted();
      ReplicaMachine machine = process.machine();
      survivors.add(
          new Survivor(
              process.name,
              process.instance(),
              process.instance().expire(machine.version(), latestMillis),
              machine.status(),
              machine::hasExecuted,
              machine::mayHaveForgotten));
    }
    History history = cluster.history();
    return new Evidence(
        cluster.workload(),
        List.copyOf(history.operations()),
        survivors,
        history::isLost,
        history.losses() == 0,
        history.writes(),
        history.writeIds(),
        history.shown(),
        cluster.parameters().acks(),
        cluster.mayHaveGrownApart(),
        history.hasSettledApart(),
        cluster.mayHaveForgottenApart(),
        cluster.countsExactly(),
        cluster.parameters().hasLittleMemory(),
        cluster.parameters().keepsFewAnswers(),
        cluster.parameters().tellsFew(),
        cluster.parameters().takeTurns(),
        List.copyOf(history.divergences()),
        cluster.limitsMet().all());
  }

  List<Operation> updates() {
    return operations.stream().filter(operation -> operation.invocation.update()).toList();
  }

  /** Whether a replica has an update: of a client that it has forgotten only effects are left. */
  boolean has(Survivor replica, Operation update) {
    return replica.knows(update) || (replica.hasForgotten(update) && mark(replica, update) > 0);
  }

  private long mark(Survivor replica, Operation update) {
    return workload
        .mark(replica.instance(), replica.version(), update.invocation.tag())
        .executions();
  }

  /** An operation, for people. */
  String describe(Operation operation) {
    return workload.describe(operation.invocation.call()) + " " + operation.ids;
  }
}
