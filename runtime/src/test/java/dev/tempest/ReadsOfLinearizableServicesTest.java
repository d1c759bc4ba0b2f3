package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.LinearizableServiceTest.Sum;
import dev.tempest.LinearizableServiceTest.SumService;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.service.execution.ServiceInstance;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a read of a linearizable service shows, and what it waits for, by its configuration. */
class ReadsOfLinearizableServicesTest {
  private static final int ADDS = 100;

  private static TestCluster start(Reads reads) throws InterruptedException {
    return TestCluster.of(
        3,
        false,
        new Order.ByConsensus(
            Order.ByConsensus.Executes.LEADER, reads, Order.ByConsensus.Log.MEMORY),
        () -> Map.of("sum", ServiceInstance.of(Sum.class, SumService::new)));
  }

  private static FrontEnd only(String server) {
    return FrontEnd.connect(
        FrontEndConfig.builder(server).multicastPort(0).deadline(TestCluster.PATIENCE).build());
  }

  @ParameterizedTest
  @EnumSource(
      value = Reads.class,
      names = {"LINEARIZABLE", "LEASE"})
  void whatOneWasAnsweredEverybodyReads(Reads reads) throws Exception {
    try (TestCluster cluster = start(reads);
        FrontEnd writer = cluster.frontEnd();
        FrontEnd reader = cluster.frontEnd()) {
      Sum written = writer.service("sum", Sum.class);
      Sum read = reader.service("sum", Sum.class);
      long expected = 0;
      for (int server = 0; server < 2; server++) {
        for (int i = 0; i < ADDS; i++) {
          assertThat(written.add(1)).isEqualTo(++expected);
          assertThat(read.get()).isEqualTo(expected);
        }
        if (server == 0) {
          cluster.nodes.removeFirst().close();
        }
      }
    }
  }

  @Test
  void aChainReadsWhatItHasSeenAtEachServer() throws Exception {
    try (TestCluster cluster = start(Reads.SESSION);
        FrontEnd frontEnd = cluster.frontEnd();
        FrontEnd one = only(cluster.servers.get(0));
        FrontEnd two = only(cluster.servers.get(1));
        FrontEnd three = only(cluster.servers.get(2))) {
      CausalChain chain = frontEnd.causal();
      Sum sum = chain.service("sum", Sum.class);
      for (int i = 1; i <= ADDS; i++) {
        assertThat(sum.add(1)).isEqualTo(i);
        assertThat(sum.get()).isEqualTo(i);
        for (FrontEnd only : new FrontEnd[] {one, two, three}) {
          CausalChain other = only.causal(chain.handle());
          assertThat(other.service("sum", Sum.class).get()).isEqualTo(i);
        }
      }
    }
  }

  /** Of three servers two do not lead. */
  @ParameterizedTest
  @EnumSource(Reads.class)
  void whoKnowsOneServerUpdatesAndReadsThere(Reads reads) throws Exception {
    try (TestCluster cluster = start(reads)) {
      long expected = 0;
      for (String server : cluster.servers) {
        try (FrontEnd only = only(server)) {
          Sum sum = only.causal().service("sum", Sum.class);
          for (int i = 0; i < 5; i++) {
            assertThat(sum.add(1)).isEqualTo(++expected);
            if (reads != Reads.STALE) {
              assertThat(sum.get()).isEqualTo(expected);
            }
          }
        }
      }
    }
  }
}
