package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three processes that are told nothing at all, and what befalls them. */
final class ThreeNodesTest {
  private static final long FAULT_MILLIS = 3_000;
  private static final long PAUSE_MILLIS = 20;

  @RegisterExtension static final Cluster CLUSTER = Cluster.of(3);

  @BeforeEach
  void theyFindEachOther() throws Exception {
    CLUSTER.startMissing();
  }

  @Test
  void whoLeavesIsGoneAndWhatItWroteStays() throws Exception {
    CLUSTER.write(PAUSE_MILLIS);
    Cluster.pass(FAULT_MILLIS);
    CLUSTER.rest();
    CLUSTER.terminate(CLUSTER.running().getLast());
    CLUSTER.awaitMembers();
    CLUSTER.awaitEqual("after one left");
    CLUSTER.startMissing();
    CLUSTER.awaitEqual("after one started again");
  }

  @Test
  void whatOthersWroteSurvivesAKill() throws Exception {
    CLUSTER.write(PAUSE_MILLIS);
    Cluster.pass(FAULT_MILLIS);
    CLUSTER.kill(CLUSTER.running().getFirst());
    Cluster.pass(FAULT_MILLIS);
    CLUSTER.startMissing();
    CLUSTER.rest();
    CLUSTER.awaitEqual("after one was killed and started again, while the others wrote");
  }

  @Test
  void aWriteThatAllHaveSurvivesItsWriter() throws Exception {
    HostProcess writer = CLUSTER.running().getFirst();
    assertThat(writer.ask("die 3")).isEqualTo("written");
    CLUSTER.kill(writer);
    for (HostProcess other : CLUSTER.running()) {
      assertThat(other.ask("last-words " + writer.name())).as("at %s", other).isEqualTo("farewell");
    }
  }

  @Test
  void aPartitionHealsWithTheWritesOfBothSides() throws Exception {
    CLUSTER.write(PAUSE_MILLIS);
    CLUSTER.network().partitionAfter(2);
    Cluster.pass(2 * FAULT_MILLIS);
    CLUSTER.rest();
    CLUSTER.network().heal();
    CLUSTER.awaitEqual("after a partition into 2 and 1");
    for (HostProcess node : CLUSTER.running()) {
      assertThat(writesThatCameLate(node)).as("late at " + node).isPositive();
    }
  }

  /** As its listener is told, sooner or later. */
  private static long writesThatCameLate(HostProcess node) throws Exception {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    long late = 0;
    while (late == 0 && System.nanoTime() < deadlineNanos) {
      late = Long.parseLong(node.ask("late"));
    }
    return late;
  }

  @Test
  void whoStopsForAWhileCatchesUp() throws Exception {
    CLUSTER.write(PAUSE_MILLIS);
    CLUSTER.running().getFirst().suspend();
    Cluster.pass(FAULT_MILLIS);
    CLUSTER.running().getFirst().resume();
    CLUSTER.rest();
    CLUSTER.awaitEqual("after one stood still");
  }
}
