package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When replicas wait for their disks whose logs are adaptive. */
final class AdaptiveLogTest {
  private final ReplicasByHand group =
      new ReplicasByHand(Order.LINEARIZABLE.withLog(Order.ByConsensus.Log.ADAPTIVE));

  @Test
  void nobodyWaitsWhileAllAreThere() {
    assertThat(group.syncing()).isEmpty();
    group.run(1_000);
    assertThat(group.syncing()).isEmpty();
  }

  /** The views do not change: a machine without power says no goodbye. */
  @Test
  void allWaitOnceTheLeaderMissesSomebody() {
    long leader = group.leader();
    long gone = leader % 3 + 1;
    group.kill(gone);
    group.run(150);
    assertThat(group.syncing()).isEqualTo(group.living());
    group.ask(1, 0, group.living());
    group.run(100);
    assertThat(group.answers(1)).isEqualTo(List.of(1L));
    group.wake(gone);
    group.run(1_000);
    assertThat(group.syncing()).isEmpty();
  }

  @Test
  void allWaitOnceTheLeaderIsMissed() {
    group.kill(group.leader());
    group.run(150);
    assertThat(group.syncing()).isEqualTo(group.living());
    group.run(2_000);
    assertThat(group.hasLeader()).isTrue();
    assertThat(group.syncing()).isEqualTo(group.living());
  }
}
