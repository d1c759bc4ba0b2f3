package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single stories of order by time, end to end: front-end, frames, replicas. */
class OrderByTimeTest {
  private static final String KEY = "x";

  private final LedgerWorkload workload = new LedgerWorkload();
  private final Agenda agenda = new Agenda();
  private final Cluster cluster =
      new Cluster(
          Parameters.perfect(2, 1),
          workload,
          new Randomness(1),
          agenda,
          Trace.of(agenda, 1_000, null),
          Cluster.Machines.production());
  private final FrontEndProcess frontEnd = cluster.frontEnds().getFirst();
  private final ReplicaProcess r1 = cluster.replicas().get(0);
  private final ReplicaProcess r2 = cluster.replicas().get(1);

  @BeforeEach
  void start() {
    cluster.replicas().forEach(SimProcess::start);
    frontEnd.start();
    cluster.runMillis(50);
    assertThat(List.of(r1.isActive(), r2.isActive())).containsExactly(true, true);
  }

  private Operation ask(Invocation invocation) {
    Operation operation = frontEnd.submit(invocation, 1_000, () -> {});
    cluster.runMillis(10);
    return operation;
  }

  private long sum(ReplicaProcess replica) {
    return workload.ask(replica.instance(), replica.machine().version(), "sum", KEY);
  }

  private List<Violation> violations() {
    Evidence evidence = Evidence.of(cluster);
    return Checker.all().stream().flatMap(checker -> checker.check(evidence).stream()).toList();
  }

  /**
   * Section 1 of the protocols: r1 executed add(x,3), then add(x,2); r2 got only the second. The
   * paper's gossip of objects is content with 5 here and 2 there for ever.
   */
  @Test
  void counterexampleOfTwoAddsOfWhichOneReplicaMissedTheFirst() {
    cluster.network().cut(frontEnd.index, r2.index);
    ask(workload.update("add", KEY, 3L));
    cluster.network().mend(frontEnd.index, r2.index);
    ask(workload.update("add", KEY, 2L));
    assertThat(List.of(sum(r1), sum(r2))).containsExactly(5L, 2L);

    cluster.runMillis(1_000);
    assertThat(List.of(sum(r1), sum(r2))).containsExactly(5L, 5L);
    assertThat(r2.repaired()).isEqualTo(1);
    assertThat(violations()).isEmpty();
  }

  /** The same where the order shows: chains of the same numbers differ unless they were equal. */
  @Test
  void anUpdateThatWasMissedIsExecutedInItsPlace() {
    cluster.network().cut(frontEnd.index, r2.index);
    ask(workload.update("append", KEY));
    cluster.network().mend(frontEnd.index, r2.index);
    ask(workload.update("append", KEY));
    ask(workload.update("append", KEY));
    assertThat(r1.machine().version()).isNotEqualTo(r2.machine().version());

    cluster.runMillis(1_000);
    assertThat(r1.machine().version()).isEqualTo(r2.machine().version());
    assertThat(r2.rerun()).isGreaterThanOrEqualTo(2);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aReplicaThatLostItsMemoryHasItBackWithoutAnyUpdateTwice() {
    Operation first = ask(workload.update("add", KEY, 3L));
    r1.crash();
    Operation second = ask(workload.update("add", KEY, 2L));
    cluster.runMillis(300);
    r1.start();
    cluster.runMillis(3_000);
    assertThat(List.of(first.isAcknowledged(), second.isAcknowledged()))
        .containsExactly(true, true);
    assertThat(List.of(sum(r1), sum(r2))).containsExactly(5L, 5L);
    assertThat(violations()).isEmpty();
  }
}
