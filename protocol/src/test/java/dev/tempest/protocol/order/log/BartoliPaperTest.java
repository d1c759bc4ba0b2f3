package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The claims of the paper on the replicated servlet container (Bartoli, Prica, Antoniutti di Muro,
 * 2005), sections 2 and 3.1 and the figures of 3.2, in our words, each with its section; where a
 * figure loses or doubles an update, what goes wrong there, and that it does not here. What is left
 * of section 3.2, and sections 4 and 5, are {@link BartoliPaperServerTest}.
 *
 * <p>Not claimed: redirection to other replicas, and the whiteboard. {@link ExecuteAnyTest} has
 * services whose updates any replica executes.
 */
final class BartoliPaperTest {
  private static final long ANN = 101;
  private static final long BOB = 102;

  private final HoldingsByHand shop = new HoldingsByHand();

  @Nested
  final class Section2Properties {
    @Test
    @DisplayName("2, P1: requests give what they give one server, whoever dies meanwhile")
    void theAnswersAreThoseOfOneServerAlone() {
      Map<String, Long> alone = new TreeMap<>();
      for (long i = 1; i <= 60; i++) {
        String item = "item" + i % 4;
        long client = i % 2 == 0 ? ANN : BOB;
        if (i == 20) {
          shop.group.kill(shop.leader());
        }
        if (i % 7 == 0) {
          boolean was = alone.remove(item) != null;
          assertThat(shop.update(client, "cancel", item)).isEqualTo(was);
        } else {
          long sum = alone.merge(item, i, Long::sum);
          assertThat(shop.update(client, "add", item, i)).isEqualTo(sum);
        }
      }
      assertThat(shop.counts()).isEqualTo(alone);
    }

    @Test
    @DisplayName("2, P1: who cancels an order meets it, though another replica serves")
    void whoCancelsMeetsTheOrder() {
      shop.update(ANN, "add", "order", 1L);
      shop.group.kill(shop.leader());
      assertThat(shop.update(ANN, "cancel", "order")).isEqualTo(true);
      assertThat(shop.update(ANN, "cancel", "order")).isEqualTo(false);
    }

    @Test
    @DisplayName("2, P1: what one client was told, another one sees at any replica")
    void whatOneWasToldTheOtherSees() {
      for (long replica : shop.group.living()) {
        long sum = (Long) shop.update(ANN, "add", "tea", 1L);
        assertThat(shop.read(replica, "tea")).isEqualTo(sum);
      }
    }

    @Test
    @DisplayName("2, P2: who sends the order again, impatient, holds X shares and not 2X")
    void whoBuysTwiceHoldsItOnce() {
      RequestId buys = shop.send(ANN, shop.group.living(), "add", "shares", 100L);
      shop.again(buys, 1, shop.group.living());
      shop.group.run(LONG);
      shop.again(buys, 2, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(buys)).hasSizeGreaterThan(1).containsOnly(100L);
      assertThat(shop.counts()).isEqualTo(Map.of("shares", 100L));
      assertThat(shop.runs()).isEqualTo(1);
    }

    /** Chance gives something else in each execution, so all answers are of one. */
    @Test
    @DisplayName("2, P2: copies may come to all replicas at once; each is answered, with the same")
    void copiesAtAllReplicasAtOnce() {
      RequestId draws = shop.send(ANN, List.of(), "draw", "lot");
      shop.again(draws, 2, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(draws)).hasSize(3);
      assertThat(shop.answers(draws).stream().distinct()).hasSize(1);
      assertThat(shop.counts()).isEqualTo(Map.of("lot", shop.answers(draws).getFirst()));
    }

    @Test
    @DisplayName("2: without a majority that is connected nobody is answered, rather than wrongly")
    void withoutAMajorityNobodyIsAnswered() {
      shop.update(ANN, "add", "tea", 1L);
      List<Long> dead = shop.followers();
      dead.forEach(shop.group::kill);
      long alone = shop.group.living().getFirst();
      RequestId update = shop.send(ANN, List.of(alone), "add", "tea", 1L);
      RequestId read = shop.ask(alone, "tea", null);
      shop.group.run(LONG);
      assertThat(shop.answers(update)).isEmpty();
      assertThat(shop.answers(read)).isEmpty();
      dead.forEach(shop.group::wake);
      shop.group.run(LONG);
      assertThat(shop.answers(update)).containsExactly(2L);
      assertThat(shop.answers(read)).containsExactly(2L);
    }

    @Test
    @DisplayName("2: no window of time in which a failure loses what a client has seen")
    void whatAClientHasSeenIsNeverLost() {
      for (long i = 1; i <= 5; i++) {
        assertThat(shop.update(ANN, "add", "tea", 1L)).isEqualTo(i);
        long leader = shop.leader();
        shop.group.kill(leader);
        shop.group.run(LONG);
        assertThat(shop.read(shop.leader(), "tea")).isEqualTo(i);
        shop.group.wake(leader);
        shop.group.run(LONG);
      }
    }

    @Test
    @DisplayName("2: a network that parts makes nothing inconsistent in silence")
    void aNetworkThatPartsMakesNothingInconsistent() {
      long alone = shop.leader();
      shop.group.part(List.of(alone));
      RequestId there = shop.send(ANN, List.of(alone), "add", "tea", 1L);
      List<Long> others = shop.followers();
      RequestId here = shop.send(BOB, others, "put", "tea", 10L);
      shop.group.run(LONG);
      assertThat(shop.answers(there)).isEmpty();
      assertThat(shop.answers(here)).containsExactly(10L);
      shop.group.heal();
      shop.again(there, 2, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(there)).isNotEmpty().containsOnly(11L);
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 11L));
    }
  }

  @Nested
  final class Section31ClientSide {
    @Test
    @DisplayName("3.1: an answer hands on what its client has seen, which grows with updates")
    void anAnswerHasAHandle() {
      Seen before = shop.seen(shop.ask(1, "tea", Seen.NOTHING));
      shop.update(ANN, "add", "tea", 1L);
      Seen after = shop.seen(shop.ask(1, "tea", before));
      assertThat(((SeenByLog) after).slot()).isGreaterThan(((SeenByLog) before).slot());
    }

    /** There it is told that the replica is unable; ours asks the others, and answers then. */
    @Test
    @DisplayName("3.1, Fig. 2, line 6: who has seen more than a replica is not shown less")
    void whoHasSeenMoreIsNotShownLess() {
      HoldingsByHand reading = HoldingsByHand.reading(Reads.SESSION);
      long lags = reading.followers().getFirst();
      Seen seen = seenBeyond(reading, lags);
      RequestId read = reading.ask(lags, "tea", seen);
      RequestId other = reading.ask(lags, "tea", Seen.NOTHING);
      reading.group.run(300);
      assertThat(reading.answers(read)).isEmpty();
      assertThat(reading.answers(other)).containsExactly(0L);
      reading.group.heal();
      reading.group.run(LONG);
      assertThat(reading.answers(read)).containsExactly(1L);
    }

    /** Ann has added tea, of which the one that lags does not know. */
    private Seen seenBeyond(HoldingsByHand reading, long lags) {
      reading.group.run(100);
      reading.group.part(List.of(lags));
      reading.update(ANN, "add", "tea", 1L);
      return reading.seen(reading.ask(reading.leader(), "tea", Seen.NOTHING));
    }

    @Test
    @DisplayName("3.1: a client that speaks to another one hands on what it has seen: the maximum")
    void clientsHandOnWhatTheyHaveSeen() {
      HoldingsByHand reading = HoldingsByHand.reading(Reads.SESSION);
      long lags = reading.followers().getFirst();
      Seen ofBob = reading.seen(reading.ask(lags, "tea", Seen.NOTHING));
      Seen ofAnn = seenBeyond(reading, lags);
      assertThat(ofBob.max(ofAnn)).isEqualTo(ofAnn).isEqualTo(ofAnn.max(ofBob));
      RequestId before = reading.ask(lags, "tea", ofBob);
      RequestId after = reading.ask(lags, "tea", ofBob.max(ofAnn));
      reading.group.run(300);
      assertThat(reading.answers(before)).containsExactly(0L);
      assertThat(reading.answers(after)).isEmpty();
    }

    @Test
    @DisplayName("3.1: whose answer is lost sends the very same request, and is told what it was")
    void whoseAnswerIsLostAsksTheVerySame() {
      shop.group.lose(message -> message instanceof Reply);
      RequestId request = shop.send(ANN, shop.group.living(), "draw", "lot");
      shop.group.run(LONG);
      assertThat(shop.answers(request)).isEmpty();
      shop.group.heal();
      shop.again(request, 2, List.of(shop.followers().getFirst()));
      shop.group.run(LONG);
      assertThat(shop.answers(request)).containsExactly(shop.counts().get("lot"));
    }

    @Test
    @DisplayName("3.1: one request at a time; ours: many at once, in whatever order they come")
    void aClientAsksForManyThingsAtOnce() {
      List<RequestId> requests = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        requests.add(shop.send(ANN, List.of(), "add", "tea", 1L));
      }
      List<Object> answers = new ArrayList<>();
      requests.reversed().forEach(each -> shop.again(each, 0, shop.group.living()));
      requests.forEach(each -> shop.again(each, 0, shop.group.living()));
      shop.group.run(LONG);
      requests.reversed().forEach(each -> answers.add(shop.answers(each).getFirst()));
      assertThat(answers).hasSize(20).startsWith(1L, 2L).endsWith(20L).doesNotHaveDuplicates();
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 20L));
    }
  }

  /** What his figures do wrong if they are followed to the letter. */
  @Nested
  final class FaultsOfTheFigures {
    /** Both are fresh for their own client there, and the second copy overwrites the first. */
    @Test
    @DisplayName("Fig. 3, lines 12 to 16: two clients update one shared object at two replicas")
    void twoClientsUpdateOneSharedObjectAtTwoReplicas() {
      SharedMapByHand shared = new SharedMapByHand();
      shared.execute(1, map -> map.merge("counter", 1L, Long::sum));
      shared.execute(2, map -> map.merge("counter", 1L, Long::sum));
      assertThat(shared.decided()).containsExactlyInAnyOrder(Decision.COUNTS, Decision.AGAIN);
      assertThat(shared.contents()).isEqualTo(Map.of("counter", 1L));
      shared.execute(1, map -> map.merge("counter", 1L, Long::sum));
      assertThat(shared.decided()).containsExactly(Decision.COUNTS);
      assertThat(shared.contents()).isEqualTo(Map.of("counter", 2L));
    }

    @Test
    @DisplayName("Fig. 3: who updates what others do not touch overwrites nothing of theirs")
    void whoSharesNothingIsNotHeldUp() {
      SharedMapByHand shared = new SharedMapByHand();
      shared.execute(1, map -> map.merge("of one", 1L, Long::sum));
      shared.execute(2, map -> map.merge("of two", 1L, Long::sum));
      assertThat(shared.decided()).containsExactly(Decision.COUNTS, Decision.COUNTS);
      assertThat(shared.contents()).isEqualTo(Map.of("of one", 1L, "of two", 1L));
    }

    /** Each writes one object after it read the other: neither copy overwrites the other one. */
    @Test
    @DisplayName("Fig. 3: a copy is fresh if nothing that it read has changed, written or not")
    void whatWasOnlyReadIsCertified() {
      SharedMapByHand shared = new SharedMapByHand();
      shared.execute(1, map -> map.put("x", map.getOrDefault("y", 0L) + 1));
      shared.execute(2, map -> map.put("y", map.getOrDefault("x", 0L) + 1));
      assertThat(shared.decided()).containsExactlyInAnyOrder(Decision.COUNTS, Decision.AGAIN);
      assertThat(shared.contents()).hasSize(1);
    }

    /** There it is multicast again as it is, over what the others have written since. */
    @Test
    @DisplayName("Fig. 3, line 34: a copy from before the view changed is executed again")
    void aCopyFromBeforeTheLeaderChangedIsExecutedAgain() {
      SharedMapByHand shared = new SharedMapByHand();
      long first = shared.group.leader();
      long lags = first % 3 + 1;
      shared.group.part(List.of(lags));
      shared.execute(lags, map -> map.merge("counter", 1L, Long::sum));
      shared.execute(first, map -> map.merge("counter", 5L, Long::sum));
      assertThat(shared.decided()).containsExactly(Decision.COUNTS);
      shared.group.heal();
      shared.group.kill(first);
      shared.group.run(LONG);
      assertThat(shared.decided()).containsExactly(Decision.AGAIN);
      shared.execute(lags, map -> map.merge("counter", 1L, Long::sum));
      assertThat(shared.decided()).containsExactly(Decision.COUNTS);
      assertThat(shared.contents()).isEqualTo(Map.of("counter", 6L));
    }

    /** Its entry is made anew there, with no updates: so that counts as fresh. */
    @Test
    @DisplayName("Fig. 2, lines 3 to 5: the first request of a client, repeated, runs once, too")
    void theFirstRequestRepeatedRunsOnce() {
      RequestId first = shop.send(ANN, shop.group.living(), "add", "tea", 1L);
      shop.group.run(100);
      shop.again(first, 1, shop.group.living());
      shop.group.kill(shop.leader());
      shop.group.run(LONG);
      shop.again(first, 2, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(first)).hasSizeGreaterThan(1).containsOnly(1L);
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 1L));
    }

    /** There only the latest one has a branch: whoever repeats an earlier one hears nothing. */
    @Test
    @DisplayName("Fig. 2, lines 15 to 17: a repeated request is answered though later ones were")
    void anEarlierDuplicateIsAnswered() {
      RequestId first = shop.send(ANN, shop.group.living(), "add", "tea", 1L);
      shop.group.run(100);
      for (int i = 0; i < 5; i++) {
        shop.update(ANN, "add", "tea", 1L);
      }
      int before = shop.answers(first).size();
      shop.again(first, 2, shop.group.living());
      shop.group.run(100);
      assertThat(shop.answers(first)).hasSizeGreaterThan(before).containsOnly(1L);
    }

    /**
     * Its client counts its own updates there, though replicas count all: Ann's first one is number
     * 1 to her, and a replica that has Bob's alone is at 1, too, and shows Ann what lacks hers.
     */
    @Test
    @DisplayName("Fig. 3, lines 18 to 20: a client is shown its own update behind that of another")
    void aClientIsShownItsOwnUpdateBehindThatOfAnother() {
      HoldingsByHand reading = HoldingsByHand.reading(Reads.SESSION);
      reading.update(BOB, "add", "tea", 5L);
      reading.group.run(100);
      long lags = reading.followers().getFirst();
      reading.group.part(List.of(lags));
      reading.update(ANN, "add", "tea", 1L);
      Seen seen = reading.seen(reading.ask(reading.leader(), "tea", Seen.NOTHING));
      RequestId read = reading.ask(lags, "tea", seen);
      reading.group.run(300);
      assertThat(reading.answers(read)).isEmpty();
      reading.group.heal();
      reading.group.run(LONG);
      assertThat(reading.answers(read)).containsExactly(6L);
    }

    /** There each replica answers its copy with what its own execution gave, which was dropped. */
    @Test
    @DisplayName("Fig. 3, line 24: the copy that comes second gets the answer of the first")
    void theSecondCopyGetsTheAnswerOfTheFirst() {
      RequestId draws = shop.send(ANN, List.of(shop.leader()), "draw", "lot");
      shop.group.run(3);
      shop.again(draws, 2, shop.followers());
      shop.group.kill(shop.leader());
      shop.group.run(LONG);
      assertThat(shop.answers(draws)).isNotEmpty().containsOnly(shop.counts().get("lot"));
    }

    /** There it says that it was unable, though the others may have it. */
    @Test
    @DisplayName("Fig. 3, lines 28 and 29: nobody is told that it did not happen if it may have")
    void nobodyIsToldThatItDidNotHappenIfItMay() {
      long first = shop.leader();
      RequestId request = shop.send(ANN, List.of(first), "add", "tea", 1L);
      shop.group.run(2);
      shop.group.part(List.of(first));
      shop.group.run(LONG);
      assertThat(shop.answers(request)).noneMatch(Answer.class::isInstance);
      shop.group.heal();
      shop.again(request, 1, shop.group.living());
      shop.group.run(LONG);
      assertThat(shop.answers(request)).isNotEmpty().containsOnly(1L);
      assertThat(shop.counts()).isEqualTo(Map.of("tea", 1L));
    }
  }

  @Test
  @DisplayName("3.2.3: a group that most have left without memory does not begin again without it")
  void aGroupWhoseMajorityLostItsMemoryStandsStill() {
    shop.update(ANN, "add", "tea", 1L);
    List<Long> gone = shop.followers();
    shop.group.kill(gone.getFirst());
    shop.group.kill(gone.getLast());
    shop.group.replace(gone.getFirst(), 4);
    shop.group.replace(gone.getLast(), 5);
    RequestId request = shop.send(ANN, shop.group.living(), "add", "tea", 1L);
    shop.group.run(5 * LONG);
    assertThat(shop.group.hasLeader()).isFalse();
    assertThat(shop.answers(request)).noneMatch(Long.class::isInstance);
    assertThat(shop.group.isActive(4)).isFalse();
  }
}
