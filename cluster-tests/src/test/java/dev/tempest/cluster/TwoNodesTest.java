package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two processes that know each other by address and expel whoever is silent for two seconds. */
final class TwoNodesTest {
  /** Whoever is cut off for longer is expelled. */
  private static final long FAULT_MILLIS = Long.getLong("partitionMillis", 5_000);

  private static final long PAUSE_MILLIS = 20;

  @RegisterExtension
  static final Cluster CLUSTER = Cluster.of(2, "2", "10.77.0.1:7400", "10.77.0.2:7400");

  @Test
  void thoseWhoExpelledEachOtherReuniteWithTheWritesOfBoth() throws Exception {
    CLUSTER.startMissing();
    CLUSTER.network().partitionAfter(1);
    CLUSTER.write(PAUSE_MILLIS);
    CLUSTER.awaitAlone();
    Cluster.pass(FAULT_MILLIS);
    CLUSTER.rest();
    CLUSTER.network().heal();
    CLUSTER.awaitEqual("after a partition into 1 and 1");
    CLUSTER.awaitMembers();
  }

  /** What comes back from another machine does not arrive at a socket bound to loopback. */
  @Test
  void frontEndsReachTheNodeOfTheirOwnHostAndOthers() throws Exception {
    CLUSTER.startMissing();
    String servers = "127.0.0.1:7400 10.77.0.2:7400";
    assertThat(CLUSTER.running().getFirst().ask("answering " + servers)).isEqualTo(servers);
  }
}
