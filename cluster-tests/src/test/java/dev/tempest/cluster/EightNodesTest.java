package dev.tempest.cluster;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Eight processes that are told nothing and start at once. */
final class EightNodesTest {
  private static final int HOSTS = 8;
  private static final long PAUSE_MILLIS = 50;

  @RegisterExtension static final Cluster CLUSTER = Cluster.of(HOSTS);

  @Test
  void aPartitionIntoHalvesHealsWithTheWritesOfBoth() throws Exception {
    CLUSTER.startMissing();
    CLUSTER.write(PAUSE_MILLIS);
    CLUSTER.network().partitionAfter(HOSTS / 2);
    Cluster.pass(5_000);
    CLUSTER.rest();
    CLUSTER.network().heal();
    CLUSTER.awaitEqual("after a partition into 4 and 4");
    CLUSTER.awaitMembers();
  }
}
