package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Order;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Any replica executes an update on what it knows, and the leader sees whether that counts. */
class ExecuteAnyTest {
  private static final List<Long> ALL = List.of(1L, 2L, 3L);

  private static final Order.ByConsensus ANY =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.ANY,
          Order.ByConsensus.Reads.LINEARIZABLE,
          Order.ByConsensus.Log.MEMORY);

  private final ReplicasByHand replicas = new ReplicasByHand(ANY);
  private final List<Long> followers = ALL.stream().filter(id -> id != replicas.leader()).toList();

  /** The first request after another one that is for a replica. */
  private static long requestFor(long replica, long after) {
    return LongStream.iterate(after + 1, each -> each + 1)
        .filter(
            each -> Rendezvous.rank(new RequestId(ReplicasByHand.CLIENT, each), replica, ALL) == 0)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aFollowerExecutesWhatIsForItOnce() {
    long request = requestFor(followers.getFirst(), 0);

    replicas.ask(request, 0, ALL);
    replicas.run(100);

    assertThat(replicas.answers(request)).containsExactly(1L);
    assertThat(ALL).allMatch(id -> replicas.executed(id) == 1);
  }

  /**
   * In the paper's figure 3 both copies are taken for fresh, and the second one overwrites what the
   * first one wrote (Bartoli, section 4).
   */
  @Test
  void twoCopiesOfOneSharedObjectDoNotOverwriteEachOther() {
    long one = requestFor(followers.getFirst(), 0);
    long other = requestFor(followers.getLast(), one);

    replicas.ask(one, 0, ALL);
    replicas.ask(other, 0, ALL);
    replicas.run(100);

    assertThat(List.of(replicas.answers(one), replicas.answers(other)))
        .containsExactlyInAnyOrder(List.of(1L), List.of(2L));
    assertThat(ALL).allMatch(id -> replicas.executed(id) == 2);
  }

  /** Its front-end asks again, since what the replica executed does not reach the leader. */
  @Test
  void theLeaderExecutesWhatItIsAskedForAgain() {
    long request = requestFor(followers.getFirst(), 0);
    replicas.lose(message -> isOffer(message));
    replicas.ask(request, 0, ALL);
    replicas.run(50);
    assertThat(replicas.answers(request)).isEmpty();

    replicas.ask(request, 1, ALL);
    replicas.run(50);
    replicas.lose(message -> false);
    replicas.run(100);

    assertThat(replicas.answers(request)).isNotEmpty().containsOnly(1L);
    assertThat(ALL).allMatch(id -> replicas.executed(id) == 1);
  }

  @Test
  void whatTheLeaderHasExecutedMeanwhileDoesNotCountTwice() {
    long request = requestFor(followers.getFirst(), 0);

    replicas.ask(request, 0, List.of(followers.getFirst()));
    replicas.ask(request, 1, List.of(replicas.leader()));
    replicas.run(100);

    assertThat(replicas.answers(request)).isNotEmpty().containsOnly(1L);
    assertThat(ALL).allMatch(id -> replicas.executed(id) == 1);
  }

  @Test
  void whoeverLeadsNextGoesOnWithoutTheClient() {
    long request = requestFor(followers.getFirst(), 0);
    replicas.kill(replicas.leader());

    replicas.ask(request, 0, followers);
    replicas.run(1_000);

    assertThat(replicas.answers(request)).isNotEmpty().containsOnly(1L);
    assertThat(followers).allMatch(id -> replicas.executed(id) == 1);
  }

  /** Its server has not been restarted with {@code execute: any} yet. */
  @Test
  void whatALeaderExecutesThatExpectsNoOffersIsNotOverwritten() {
    long leads = replicas.leader();
    ReplicasByHand mixed =
        new ReplicasByHand(
            new ReplicasByHand.Setup(
                3,
                id -> id == leads ? Order.LINEARIZABLE : ANY,
                1 << 20,
                id -> Numbers.instance()));
    assertThat(mixed.leader()).isEqualTo(leads);
    long first = requestFor(followers.getFirst(), 0);
    mixed.ask(first, 0, ALL);
    mixed.run(100);

    long byLeader = requestFor(leads, first);
    long byFollower = requestFor(followers.getFirst(), first);
    mixed.ask(byLeader, 0, List.of(leads));
    mixed.ask(byFollower, 0, List.of(followers.getFirst()));
    mixed.run(100);
    mixed.ask(byFollower, 1, ALL);
    mixed.run(100);

    assertThat(mixed.answers(byLeader)).containsOnly(2L);
    assertThat(mixed.answers(byFollower)).isNotEmpty().containsOnly(3L);
  }

  /** While the leader counts, nothing that a follower executes is fresh: in the end it counts. */
  @Test
  void whatIsRefusedAgainAndAgainIsForTheLeader() {
    long request = requestFor(followers.getFirst(), 100);

    replicas.ask(request, 0, ALL);
    for (long i = 0, next = 0; i < 20; i++) {
      next = requestFor(replicas.leader(), next);
      replicas.ask(next, 0, ALL);
      replicas.run(1);
    }
    assertThat(replicas.answers(request)).isNotEmpty();
  }

  private static boolean isOffer(Message message) {
    return message instanceof Message.OfLog of && of.said() instanceof LogMessage.Offer;
  }
}
