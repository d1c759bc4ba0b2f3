package dev.tempest.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RendezvousTest {
  private static final List<Long> REPLICAS = List.of(11L, 22L, 33L, 44L);

  @Test
  void ranksEveryReplicaOnce() {
    for (long sequence = 1; sequence <= 1_000; sequence++) {
      RequestId id = new RequestId(7, sequence);
      var ranks = REPLICAS.stream().map(each -> Rendezvous.rank(id, each, REPLICAS)).sorted();
      assertThat(ranks).containsExactly(0, 1, 2, 3);
      for (int rank = 0; rank < REPLICAS.size(); rank++) {
        long replica = Rendezvous.ranked(id, REPLICAS).get(rank);
        assertThat(Rendezvous.rank(id, replica, REPLICAS)).isEqualTo(rank);
      }
    }
  }

  @Test
  void spreadsRequestsEvenly() {
    var first = new TreeMap<Long, Integer>();
    for (long sequence = 1; sequence <= 40_000; sequence++) {
      first.merge(
          Rendezvous.ranked(new RequestId(3, sequence), REPLICAS).getFirst(), 1, Integer::sum);
    }
    assertThat(first.values()).allMatch(count -> count > 9_500 && count < 10_500);
  }

  @Test
  void keepsTheOrderOfTheOthersWhenOneGoes() {
    for (long sequence = 1; sequence <= 1_000; sequence++) {
      RequestId id = new RequestId(9, sequence);
      long first = Rendezvous.ranked(id, REPLICAS).getFirst();
      List<Long> rest = REPLICAS.stream().filter(each -> each != first).toList();
      assertThat(Rendezvous.ranked(id, rest).getFirst())
          .isEqualTo(Rendezvous.ranked(id, REPLICAS).get(1));
    }
  }
}
