package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order.ByConsensus;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Front-ends ask those first who answer beacons first: those who would answer reads first. */
final class BeaconsTest {
  private static final RequestId BEACON = new RequestId(5, 1);

  private static ReplicasByHand group(Reads reads) {
    ReplicasByHand group = new ReplicasByHand(new ByConsensus(Executes.LEADER, reads, Log.MEMORY));
    group.run(1_000);
    return group;
  }

  private static List<Long> answers(ReplicasByHand group) {
    return group.toClients().stream()
        .filter(Message.BeaconAnswer.class::isInstance)
        .map(answer -> ((Message.BeaconAnswer) answer).replica())
        .toList();
  }

  @Test
  void withLeasesTheLeaderAnswersFirst() {
    ReplicasByHand group = group(Reads.LEASE);
    group
        .living()
        .forEach(id -> group.hears(id, new Message.Beacon(ReplicasByHand.SERVICE, BEACON)));
    group.run(1);
    assertThat(answers(group)).containsExactly(group.leader());
    group.run(10);
    assertThat(answers(group)).containsExactlyInAnyOrderElementsOf(group.living());
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCAL", "SESSION", "STALE"})
  void whoKnowsWhatReadsShowAnswersAtOnce(Reads reads) {
    ReplicasByHand group = group(reads);
    group
        .living()
        .forEach(id -> group.hears(id, new Message.Beacon(ReplicasByHand.SERVICE, BEACON)));
    group.run(1);
    assertThat(answers(group)).hasSameSizeAs(group.living());
  }

  @Test
  void whoReachesNoMajorityDoesNotSeemToBeFast() {
    ReplicasByHand group = group(Reads.LINEARIZABLE);
    long alone = group.leader();
    group.part(List.of(alone));
    group.hears(alone, new Message.Beacon(ReplicasByHand.SERVICE, BEACON));
    group.run(1_000);
    assertThat(answers(group)).isEmpty();
  }
}
