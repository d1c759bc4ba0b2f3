package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static dev.tempest.protocol.order.log.HoldingsByHand.are;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The claims of chapter VI of Zhang's thesis (2006), sections A.1, A.2, A.4 and C, in our words,
 * each with its section; where ours is another on purpose, what it does instead and why. Reads,
 * leaders that change and the proof are {@link ZhangPaperLeadersTest}, transactions {@link
 * ZhangPaperTransactionsTest}.
 *
 * <p>Not claimed: confirmations that replicas send before anybody asks for them (A.3).
 */
final class ZhangPaperTest {
  private static final long ANN = 101;
  private static final long BOB = 102;

  private final HoldingsByHand grid = new HoldingsByHand();

  @Nested
  final class A1SystemModel {
    @Test
    @DisplayName("VI.A.1: of n replicas all but a majority may crash: two of five")
    void allButAMajorityMayCrash() {
      HoldingsByHand five = new HoldingsByHand(5, Order.LINEARIZABLE, 1 << 20);
      for (long i = 1; i <= 2; i++) {
        assertThat(five.update(ANN, "add", "jobs", 1L)).isEqualTo(i);
        five.group.kill(five.leader());
        five.group.run(LONG);
      }
      assertThat(five.update(ANN, "add", "jobs", 1L)).isEqualTo(3L);
      five.group.kill(five.leader());
      RequestId request = five.send(ANN, five.group.living(), "add", "jobs", 1L);
      five.group.run(LONG);
      assertThat(five.answers(request)).isEmpty();
    }

    @Test
    @DisplayName("VI.A.1: who recovers goes on as one of them")
    void whoRecoversGoesOn() {
      long away = grid.leader();
      grid.group.kill(away);
      grid.update(ANN, "add", "jobs", 1L);
      long other = grid.followers().getFirst();
      grid.group.wake(away);
      grid.group.run(LONG);
      grid.group.kill(other);
      assertThat(grid.update(ANN, "add", "jobs", 1L)).isEqualTo(2L);
    }

    /** Nobody can tell: it was found dead, goes on, and believes for a while that it leads. */
    @Test
    @DisplayName("VI, VI.A.1: to be silent is not to have crashed: a false suspicion costs nothing")
    void aFalseSuspicionCostsNothing() {
      long slow = grid.leader();
      RequestId request = grid.send(ANN, grid.group.living(), "draw", "job");
      grid.group.kill(slow);
      grid.group.run(LONG);
      Object drawn = grid.answers(request).getFirst();
      grid.group.wake(slow);
      RequestId late = grid.send(BOB, List.of(slow), "draw", "job");
      grid.group.run(LONG);
      assertThat(grid.answers(late)).isEmpty();
      assertThat(grid.counts()).isEqualTo(Map.of("job", drawn));
    }

    @Test
    @DisplayName("VI.A.1: a client asks all replicas, and only the leader replies")
    void onlyTheLeaderReplies() {
      HoldingsByHand five = new HoldingsByHand(5, Order.LINEARIZABLE, 1 << 20);
      for (int i = 0; i < 10; i++) {
        RequestId request = five.send(ANN, five.group.living(), "add", "jobs", 1L);
        five.group.run(100);
        assertThat(five.group.replies(request))
            .extracting(Reply::replica)
            .containsExactly(five.leader());
      }
    }

    @Test
    @DisplayName("VI.A.1: only one replies; ours: of three the one that first knows it is chosen")
    void whoeverKnowsFirstReplies() {
      for (int i = 0; i < 10; i++) {
        RequestId request = grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
        grid.group.run(100);
        assertThat(grid.group.replies(request))
            .singleElement()
            .extracting(Reply::replica)
            .isIn(grid.followers());
      }
    }

    @Test
    @DisplayName("VI.A.1: a read changes no state, a write does")
    void aReadChangesNoState() {
      long before = grid.group.executed(grid.leader());
      grid.read(grid.leader(), "jobs");
      assertThat(grid.group.executed(grid.leader())).isEqualTo(before);
      grid.update(ANN, "add", "jobs", 1L);
      assertThat(grid.group.executed(grid.leader())).isEqualTo(before + 1);
    }
  }

  @Nested
  final class A2Proposals {
    @Test
    @DisplayName("VI.A.2: replicas of a service that is not deterministic are equal")
    void replicasOfAServiceThatIsNotDeterministicAreEqual() {
      for (int i = 0; i < 20; i++) {
        grid.update(ANN, "draw", "job" + i);
      }
      assertThat(grid.counts()).hasSize(20);
    }

    @Test
    @DisplayName("VI.A.2: the leader executes, and nobody else: its state travels with the request")
    void onlyTheLeaderExecutes() {
      grid.update(ANN, "draw", "job");
      assertThat(grid.counts()).hasSize(1);
      assertThat(grid.runs(grid.leader())).isEqualTo(1);
      assertThat(grid.followers()).allMatch(id -> grid.runs(id) == 0);
    }

    @Test
    @DisplayName("VI.A.2: the i-th proposal is the i-th request that was executed")
    void theLogIsTheOrderOfExecution() {
      List<RequestId> requests = new ArrayList<>();
      grid.group.takeSent();
      for (int i = 0; i < 10; i++) {
        requests.add(grid.send(ANN + i, List.of(grid.leader()), "add", "jobs", 1L));
      }
      grid.group.run(100);
      assertThat(grid.takeProposed().getFirst())
          .extracting(entry -> ((SlotEntry.Proposed) entry).id())
          .isEqualTo(requests);
      assertThat(requests)
          .extracting(each -> grid.answers(each).getFirst())
          .isEqualTo(LongStream.rangeClosed(1, 10).boxed().toList());
    }

    @Test
    @DisplayName("VI.A.2: clients need not know who leads: asked anywhere, it gets there")
    void clientsNeedNotKnowWhoLeads() {
      for (long replica : grid.group.living()) {
        RequestId request = grid.send(ANN, List.of(replica), "add", "jobs", 1L);
        grid.again(request, 1, List.of(replica));
        grid.again(request, 2, List.of(replica));
        grid.group.run(100);
        assertThat(grid.answers(request)).isNotEmpty();
      }
      assertThat(grid.counts()).isEqualTo(Map.of("jobs", 3L));
    }

    @Test
    @DisplayName("VI.A.2: one prepare phase for all instances: none while the leader stays")
    void noPreparePhaseWhileTheLeaderStays() {
      grid.group.takeSent();
      for (int i = 0; i < 30; i++) {
        grid.update(ANN, "add", "jobs", 1L);
      }
      assertThat(
              grid.sent(
                  said -> said instanceof LogMessage.Prepare || said instanceof LogMessage.PreVote))
          .isZero();
    }

    @Test
    @DisplayName("Fig. VI.1: execute, propose, accept, reply: three messages behind the request")
    void threeMessagesBehindTheRequest() {
      HoldingsByHand five = new HoldingsByHand(5, Order.LINEARIZABLE, 1 << 20);
      RequestId request = five.send(ANN, five.group.living(), "add", "jobs", 1L);
      five.group.run(3);
      assertThat(five.answers(request)).isEmpty();
      five.group.run(1);
      assertThat(five.answers(request)).containsExactly(1L);
    }

    @Test
    @DisplayName("VI.A.2: who has accepted it applies it once it learns that it was chosen")
    void itIsAppliedOnceItIsChosen() {
      HoldingsByHand five = new HoldingsByHand(5, Order.LINEARIZABLE, 1 << 20);
      long accepts = five.followers().getFirst();
      five.group.lose(are(said -> said instanceof LogMessage.Accepted));
      five.send(ANN, five.group.living(), "add", "jobs", 1L);
      five.group.run(50);
      assertThat(five.counts(accepts)).isEmpty();
      five.group.heal();
      five.group.run(100);
      assertThat(five.counts(accepts)).isEqualTo(Map.of("jobs", 1L));
    }

    @Test
    @DisplayName("VI.A.2: a replica remembers all requests, but only the latest state")
    void requestsAreRememberedWhoseEntriesAreDropped() {
      HoldingsByHand small = new HoldingsByHand(3, Order.LINEARIZABLE, 20_000);
      RequestId first = small.send(ANN, small.group.living(), "draw", "job");
      small.group.run(100);
      for (int i = 0; i < 100; i++) {
        small.update(BOB, "note", "text", "x".repeat(1_000) + i);
      }
      small.group.kill(small.leader());
      small.again(first, 2, small.group.living());
      small.group.run(LONG);
      assertThat(small.answers(first)).hasSizeGreaterThan(1);
      assertThat(small.answers(first).stream().distinct()).hasSize(1);
      assertThat(small.counts()).isEqualTo(Map.of("job", small.answers(first).getFirst()));
    }

    @Test
    @DisplayName("VI.A.2: what is lost is sent again, until it is chosen")
    void whatIsLostIsSentAgain() {
      int[] lost = new int[1];
      grid.group.lose(are(said -> HoldingsByHand.proposes(said) && lost[0]++ < 6));
      RequestId request = grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
      grid.group.run(1_000);
      assertThat(lost[0]).isGreaterThan(6);
      assertThat(grid.answers(request)).containsExactly(1L);
    }
  }

  @Nested
  final class A2NoGaps {
    /** There it waits with the next proposal, so that there is no gap; here a log has none. */
    @Test
    @DisplayName("VI.A.2: one proposal at a time; ours: many, and none counts before those before")
    void manyProposalsAtATimeAndNoGap() {
      RequestId first = grid.send(ANN, List.of(grid.leader()), "add", "jobs", 1L);
      grid.group.lose(are(said -> proposes(said, first)));
      grid.group.run(1);
      RequestId second = grid.send(BOB, List.of(grid.leader()), "add", "jobs", 1L);
      grid.group.takeSent();
      grid.group.run(60);
      assertThat(grid.sent(said -> proposes(said, second) && !proposes(said, first))).isPositive();
      assertThat(grid.answers(second)).isEmpty();
      grid.group.heal();
      grid.group.run(100);
      assertThat(grid.answers(first)).containsExactly(1L);
      assertThat(grid.answers(second)).containsExactly(2L);
    }

    private static boolean proposes(LogMessage said, RequestId request) {
      return HoldingsByHand.proposed(said).stream().anyMatch(entry -> request.equals(entry.id()));
    }

    @Test
    @DisplayName("VI.A.2: it may execute the next request before the one before is chosen")
    void itExecutesAhead() {
      grid.group.lose(are(said -> said instanceof LogMessage.Accepted));
      RequestId first = grid.send(ANN, List.of(grid.leader()), "add", "jobs", 1L);
      RequestId second = grid.send(BOB, List.of(grid.leader()), "add", "jobs", 1L);
      grid.group.run(20);
      assertThat(grid.runs(grid.leader())).isEqualTo(2);
      assertThat(grid.answers(first)).isEmpty();
      grid.group.heal();
      grid.group.run(100);
      assertThat(grid.answers(second)).containsExactly(2L);
    }

    @Test
    @DisplayName("VI.A.2: no state is chosen that depends on a request that is not")
    void noStateIsChosenThatDependsOnWhatIsNot() {
      grid.group.lose(are(HoldingsByHand::proposes));
      RequestId first = grid.send(ANN, List.of(grid.leader()), "add", "jobs", 10L);
      RequestId second = grid.send(BOB, List.of(grid.leader()), "add", "jobs", 1L);
      grid.group.run(10);
      grid.group.kill(grid.leader());
      grid.group.heal();
      grid.again(second, 1, grid.group.living());
      grid.group.run(LONG);
      assertThat(grid.answers(second)).containsOnly(1L);
      assertThat(grid.counts()).isEqualTo(Map.of("jobs", 1L));
      grid.again(first, 1, grid.group.living());
      grid.group.run(100);
      assertThat(grid.counts()).isEqualTo(Map.of("jobs", 11L));
    }
  }

  @Nested
  final class A2SmallProposals {
    /** The request, its time and the seed of its randomness are all that is needed. */
    @Test
    @DisplayName("VI.A.2: what can be reproduced travels as the request, and what else it takes")
    void whatCanBeReproducedTravelsAsTheRequest() {
      HoldingsByHand all = HoldingsByHand.executingAll();
      all.group.takeSent();
      all.update(ANN, "add", "jobs", 1L);
      assertThat(all.counts()).isEqualTo(Map.of("jobs", 1L));
      assertThat(all.takeProposed().getFirst()).allMatch(SlotEntry.Called.class::isInstance);
      assertThat(all.group.living()).allMatch(id -> all.runs(id) == 1);
    }

    @Test
    @DisplayName("VI.A.2: where replicas agree on the state before, only what was updated travels")
    void onlyWhatWasUpdatedTravels() {
      List<Integer> sizes = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        grid.group.takeSent();
        grid.update(ANN, "put", "jobs", 1L);
        sizes.add(grid.takeProposed().getFirst().getFirst().sizeBytes());
        grid.update(ANN, "note", "text" + i, "x".repeat(100_000));
      }
      assertThat(sizes.stream().distinct()).hasSize(1);
      assertThat(sizes.getFirst()).isLessThan(500);
    }
  }

  @Nested
  final class A4AndC {
    /** His example with methods: the one that aborts leaves nothing that others build on. */
    @Test
    @DisplayName("VI.A.4: what aborts is not in the state on which others commit")
    void whatAbortsIsNotInWhatOthersCommit() {
      grid.group.lose(are(said -> said instanceof LogMessage.Accepted));
      List<Long> leader = List.of(grid.leader());
      RequestId one = grid.send(ANN, leader, "add", "jobs", 1L);
      RequestId aborts = grid.send(BOB, leader, "move", "none", "jobs", 5L);
      RequestId three = grid.send(ANN, leader, "add", "jobs", 1L);
      grid.group.run(20);
      grid.group.heal();
      grid.group.run(100);
      assertThat(grid.answers(one)).containsExactly(1L);
      assertThat(grid.answers(aborts)).noneMatch(Long.class::isInstance).hasSize(1);
      assertThat(grid.answers(three)).containsExactly(2L);
      assertThat(grid.counts()).isEqualTo(Map.of("jobs", 2L));
    }

    @Test
    @DisplayName("VI.C.1: many clients share what agreement costs: their proposals go together")
    void manyClientsShareAgreement() {
      grid.group.takeSent();
      List<RequestId> requests = new ArrayList<>();
      for (int client = 0; client < 60; client++) {
        requests.add(grid.send(ANN + client, grid.group.living(), "add", "jobs", 1L));
      }
      grid.group.run(5);
      assertThat(requests).allMatch(each -> !grid.answers(each).isEmpty());
      assertThat(grid.takeProposed()).hasSize(2);
    }

    @Test
    @DisplayName("VI.C.3: more failures are tolerated by more replicas: three of seven")
    void threeOfSevenMayFail() {
      HoldingsByHand seven = new HoldingsByHand(7, Order.LINEARIZABLE, 1 << 20);
      for (long id = 1; id <= 3; id++) {
        seven.group.kill(id);
      }
      assertThat(seven.update(ANN, "add", "jobs", 1L)).isEqualTo(1L);
      assertThat(seven.counts()).isEqualTo(Map.of("jobs", 1L));
    }
  }
}
