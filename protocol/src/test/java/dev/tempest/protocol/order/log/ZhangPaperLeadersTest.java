package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static dev.tempest.protocol.order.log.HoldingsByHand.are;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The claims of chapter VI of Zhang's thesis about leaders that change (A.2, A.5), reads (A.3), and
 * the steps of its proof (B), in our words, each with its section.
 */
final class ZhangPaperLeadersTest {
  private static final long ANN = 101;
  private static final long BOB = 102;
  private static final int OPEN = 4;

  /** The more leaders follow each other, the longer all wait before the next. */
  private static final long PATIENT = 4_000;

  private final HoldingsByHand grid = new HoldingsByHand();

  private Ballot ballot(long id) {
    return grid.group.takeSent().stream()
        .filter(sent -> sent.from() == id && sent.message() instanceof OfLog)
        .map(sent -> ((OfLog) sent.message()).said())
        .filter(LogMessage.Accept.class::isInstance)
        .map(said -> ((LogMessage.Accept) said).ballot())
        .toList()
        .getLast();
  }

  @Nested
  final class A2NewLeader {
    /** Of three, who accepts knows at once that it is chosen. */
    private final HoldingsByHand five = new HoldingsByHand(5, Order.LINEARIZABLE, 1 << 20);

    /** His example: the next leader knows up to 87, and requests 88 to 91 of another one. */
    private List<RequestId> someAreOpen() {
      for (int i = 0; i < 20; i++) {
        five.update(ANN, "add", "jobs", 1L);
      }
      five.group.run(100);
      long knows = five.followers().getFirst();
      five.group.lose(are(said -> said instanceof LogMessage.Accepted));
      five.group.part(List.of(five.followers().getLast()));
      List<RequestId> open = new ArrayList<>();
      for (int i = 0; i < OPEN; i++) {
        open.add(five.send(ANN, List.of(five.leader()), "add", "jobs", 1L));
        five.group.run(2);
      }
      assertThat(five.counts(knows)).isEqualTo(Map.of("jobs", 20L));
      five.group.kill(five.leader());
      five.group.heal();
      five.group.takeSent();
      return open;
    }

    @Test
    @DisplayName("VI.A.2: the next leader learns from a majority of all that may be chosen")
    void theNextLeaderLearnsWhatMayBeChosen() {
      List<RequestId> open = someAreOpen();
      five.group.run(LONG);
      assertThat(five.counts()).isEqualTo(Map.of("jobs", 20L + OPEN));
      open.forEach(each -> five.again(each, 2, five.group.living()));
      five.group.run(100);
      for (int i = 0; i < OPEN; i++) {
        assertThat(five.answers(open.get(i))).isNotEmpty().containsOnly(21L + i);
      }
      assertThat(five.runs()).isEqualTo(20 + OPEN);
    }

    @Test
    @DisplayName("VI.A.2: one message prepares all instances, however many are open")
    void oneMessagePreparesAllInstances() {
      someAreOpen();
      while (!five.group.hasLeader()) {
        five.group.run(1);
      }
      long heartbeats = 3; // To each of four, one of which is dead, while nobody leads.
      assertThat(five.sent(said -> said instanceof LogMessage.Prepare))
          .isBetween(1L, 4 * heartbeats);
    }

    @Test
    @DisplayName("VI.A.2: who promises says how far it is: only what the leader lacks is sent")
    void onlyWhatTheLeaderLacksIsSent() {
      someAreOpen();
      five.group.run(LONG);
      long entries =
          five.group.takeSent().stream()
              .filter(sent -> sent.message() instanceof OfLog)
              .map(sent -> ((OfLog) sent.message()).said())
              .mapToLong(said ->
                  switch (said) {
                    case LogMessage.Fetched fetched -> fetched.entries().size();
                    case LogMessage.Sync sync -> sync.entries().size();
                    default -> 0;
                  })
              .sum();
      assertThat(entries).isBetween((long) OPEN, 4L * (OPEN + 2));
    }

    @Test
    @DisplayName(
        "VI.A.2: of two that know an instance the higher ballot counts, not the longer log")
    void theHigherBallotCountsAndNotTheLongerLog() {
      long first = grid.leader();
      grid.group.part(List.of(first));
      for (int i = 0; i < 10; i++) {
        grid.send(ANN, List.of(first), "add", "lost", 1L);
      }
      grid.group.run(LONG);
      grid.update(BOB, "add", "kept", 1L);
      grid.group.heal();
      grid.group.run(100);
      grid.group.kill(grid.leader());
      grid.group.run(LONG);
      assertThat(grid.counts()).isEqualTo(Map.of("kept", 1L));
    }

    @Test
    @DisplayName("VI.A.2: who lacks what the leader keeps no more takes its state in its place")
    void whoLacksMoreTakesTheState() {
      HoldingsByHand small = new HoldingsByHand(3, Order.LINEARIZABLE, 20_000);
      long away = small.followers().getFirst();
      small.group.kill(away);
      small.update(ANN, "draw", "job");
      for (int i = 0; i < 60; i++) {
        small.update(ANN, "note", "text", "x".repeat(1_000) + i);
      }
      small.group.takeSent();
      small.group.wake(away);
      small.group.run(LONG);
      assertThat(small.sent(LogMessage.StatePart.class::isInstance)).isGreaterThan(0);
      assertThat(small.counts(away)).isEqualTo(small.counts()).hasSize(1);
      assertThat(small.runs(away)).isZero();
    }
  }

  @Nested
  final class A3Reads {
    @Test
    @DisplayName("VI.A.3: reads are not agreed on: the log has none")
    void readsAreNotInTheLog() {
      grid.update(ANN, "add", "jobs", 1L);
      grid.group.run(100);
      grid.group.takeSent();
      grid.group.living().forEach(id -> assertThat(grid.read(id, "jobs")).isEqualTo(1));
      assertThat(grid.sent(HoldingsByHand::proposes)).isZero();
    }

    @Test
    @DisplayName(
        "VI.A.3: the order among reads does not matter: those that wait share one question")
    void readsThatWaitShareOneQuestion() {
      grid.group.run(5);
      RequestId first = grid.ask(grid.leader(), "jobs", null);
      grid.group.takeSent();
      List<RequestId> more = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        more.add(grid.ask(grid.leader(), "jobs", null));
      }
      grid.group.run(10);
      assertThat(grid.answers(first)).hasSize(1);
      assertThat(more).allMatch(each -> grid.answers(each).size() == 1);
      assertThat(grid.sent(LogMessage.LengthRequest.class::isInstance)).isEqualTo(1);
    }

    @Test
    @DisplayName("VI.A.3: a read waits for confirmations of a majority, the one asked included")
    void aReadWaitsForAMajority() {
      grid.group.kill(grid.followers().getFirst());
      assertThat(grid.read(grid.leader(), "jobs")).isZero();
      grid.group.lose(are(LogMessage.Length.class::isInstance));
      RequestId read = grid.ask(grid.leader(), "jobs", null);
      grid.group.run(LONG);
      assertThat(grid.answers(read)).isEmpty();
      grid.group.heal();
      grid.group.run(500);
      assertThat(grid.answers(read)).containsExactly(0L);
    }

    @Test
    @DisplayName("VI.A.3: a leader that was succeeded answers no read with what it has")
    void whoWasSucceededShowsNothingOld() {
      long first = grid.leader();
      grid.group.part(List.of(first));
      RequestId early = grid.ask(first, "jobs", null);
      grid.group.run(LONG);
      RequestId update = grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
      RequestId late = grid.ask(first, "jobs", null);
      grid.group.run(200);
      assertThat(grid.answers(update)).isNotEmpty();
      assertThat(grid.answers(late)).isEmpty();
      grid.group.heal();
      grid.group.run(LONG);
      assertThat(grid.answers(early)).containsExactly(1L);
      assertThat(grid.answers(late)).containsExactly(1L);
    }

    @Test
    @DisplayName("VI.A.3: a read follows the latest write: it does not overtake one on its way")
    void aReadDoesNotOvertakeAWrite() {
      grid.group.lose(are(LogMessage.Accepted.class::isInstance));
      RequestId write = grid.send(ANN, List.of(grid.leader()), "add", "jobs", 1L);
      grid.group.run(5);
      RequestId read = grid.ask(grid.leader(), "jobs", null);
      grid.group.run(20);
      assertThat(grid.answers(read)).isEmpty();
      grid.group.heal();
      grid.group.run(100);
      assertThat(grid.answers(write)).containsExactly(1L);
      assertThat(grid.answers(read)).containsExactly(1L);
    }

    @Test
    @DisplayName("VI.A.3: it takes no accept phase; where the leader holds a lease, no message")
    void aReadWithALeaseTakesNoMessage() {
      HoldingsByHand leased = HoldingsByHand.reading(Reads.LEASE);
      leased.update(ANN, "add", "jobs", 1L);
      leased.group.run(100);
      leased.group.takeSent();
      RequestId read = leased.ask(leased.leader(), "jobs", null);
      assertThat(leased.group.takeSent()).isEmpty();
      leased.group.run(1);
      assertThat(leased.answers(read)).containsExactly(1L);
    }
  }

  @Nested
  final class A5LeaderSwitches {
    @Test
    @DisplayName("VI.A.5: leaders are stable: who comes back deposes none that works")
    void whoComesBackDeposesNone() {
      long leader = grid.leader();
      long away = grid.followers().getFirst();
      for (int i = 0; i < 5; i++) {
        grid.group.part(List.of(away));
        grid.group.run(500);
        grid.group.heal();
        grid.group.run(500);
        assertThat(grid.leader()).isEqualTo(leader);
      }
    }

    @Test
    @DisplayName("VI.A.5: a read outlives its leader, if the replica lives that was asked")
    void aReadOutlivesItsLeader() {
      grid.update(ANN, "add", "jobs", 1L);
      RequestId read = grid.ask(grid.followers().getFirst(), "jobs", null);
      grid.group.kill(grid.leader());
      grid.group.run(LONG);
      assertThat(grid.answers(read)).containsExactly(1L);
    }

    @Test
    @DisplayName("VI.A.5: an update outlives its leader, and its client need not ask again")
    void anUpdateOutlivesItsLeader() {
      RequestId request = grid.send(ANN, grid.group.living(), "draw", "job");
      grid.group.kill(grid.leader());
      grid.group.run(LONG);
      assertThat(grid.answers(request)).containsExactly(grid.counts().get("job"));
    }

    @Test
    @DisplayName("VI.A.5: there is a leader in the end, whoever was one before")
    void thereIsALeaderInTheEnd() {
      for (int i = 0; i < 5; i++) {
        long gone = grid.leader();
        grid.group.kill(gone);
        grid.group.run(PATIENT);
        assertThat(grid.group.hasLeader()).isTrue();
        grid.group.wake(gone);
        grid.group.run(200);
      }
    }
  }

  @Nested
  final class BProof {
    @Test
    @DisplayName("VI.B, protocol 1: a new leader executes nothing before both phases are complete")
    void aNewLeaderFirstCompletesBothPhases() {
      grid.group.kill(grid.leader());
      grid.group.lose(are(LogMessage.Accepted.class::isInstance));
      RequestId request = grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
      grid.group.run(LONG);
      assertThat(grid.group.hasLeader()).isFalse();
      assertThat(grid.runs()).isZero();
      grid.group.heal();
      grid.group.run(LONG);
      assertThat(grid.answers(request)).containsExactly(1L);
    }

    @Test
    @DisplayName("VI.B, protocol 1: a write is answered if and once a majority has accepted it")
    void aWriteIsAnsweredOnceAMajorityHasAcceptedIt() {
      grid.group.part(List.of(grid.leader()));
      RequestId request = grid.send(ANN, List.of(grid.leader()), "add", "jobs", 1L);
      grid.group.run(50);
      assertThat(grid.answers(request)).isEmpty();
      grid.group.part(List.of(grid.followers().getFirst()));
      grid.group.run(50);
      assertThat(grid.answers(request)).containsExactly(1L);
    }

    @Test
    @DisplayName("VI.B, lemma 1: leaders have a linear order, by ballots that only rise")
    void ballotsOnlyRise() {
      List<Ballot> ballots = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        long leader = grid.leader();
        grid.update(ANN, "add", "jobs", 1L);
        ballots.add(ballot(leader));
        grid.group.kill(leader);
        grid.group.run(PATIENT);
        grid.group.wake(leader);
        grid.group.run(200);
      }
      assertThat(new TreeSet<>(ballots)).hasSize(4).containsExactlyElementsOf(ballots);
    }

    /** That is step 4: what it accepted of the lower one, it did before, and said so. */
    @Test
    @DisplayName("VI.B, theorem 1: who has promised a higher ballot accepts nothing of a lower one")
    void whoHasPromisedMoreAcceptsNothingLower() {
      long first = grid.leader();
      long second = grid.followers().getFirst();
      grid.update(ANN, "add", "jobs", 1L);
      Ballot lower = ballot(first);
      grid.group.part(List.of(first));
      grid.group.run(LONG);
      grid.group.takeSent();
      long length = grid.group.replica(second).status("").executed();
      grid.group.hears(
          second,
          new OfLog(
              ReplicasByHand.SERVICE, first, new LogMessage.Accept(lower, 1, List.of(), 1, true)));
      assertThat(grid.sent(LogMessage.Rejected.class::isInstance)).isEqualTo(1);
      assertThat(grid.group.replica(second).status("").executed()).isEqualTo(length);
    }

    @Test
    @DisplayName("VI.B, theorem 1: a read that overlaps no write shows the last one, of any leader")
    void aReadShowsTheLastWriteOfAnyLeader() {
      for (long i = 1; i <= 4; i++) {
        grid.update(ANN, "put", "register", i);
        assertThat(grid.read(grid.leader(), "register")).isEqualTo(i);
        long leader = grid.leader();
        grid.group.kill(leader);
        grid.group.run(PATIENT);
        for (long replica : grid.group.living()) {
          assertThat(grid.read(replica, "register")).isEqualTo(i);
        }
        grid.group.wake(leader);
        grid.group.run(500);
      }
    }

    /** A regular register may show the new value, and then the old one. */
    @Test
    @DisplayName("VI.B, theorem 2: what overlaps a write shows no old value after the new one")
    void noOldValueAfterTheNewOne() {
      boolean[] isTold = new boolean[1];
      grid.update(ANN, "put", "register", 1L);
      grid.group.run(100);
      long lags = grid.followers().getLast();
      grid.group.lose(
          are(said -> {
            boolean loses =
                isTold[0] && (said instanceof LogMessage.Accept || said instanceof LogMessage.Tell);
            isTold[0] |= HoldingsByHand.proposes(said);
            return loses;
          }));
      grid.send(ANN, List.of(grid.leader()), "put", "register", 2L);
      long before = 1;
      for (int i = 0; i < 20; i++) {
        RequestId one = grid.ask(grid.leader(), "register", null);
        RequestId other = grid.ask(lags, "register", null);
        grid.group.run(3);
        for (RequestId read : List.of(one, other)) {
          for (Object value : grid.answers(read)) {
            assertThat((Long) value).isGreaterThanOrEqualTo(before);
            before = Math.max(before, (Long) value);
          }
        }
      }
      assertThat(before).isEqualTo(2);
    }

    @Test
    @DisplayName("VI.B, lemma 3: the state before a request is that after the write before it")
    void theStateBeforeIsThatAfterTheWriteBefore() {
      for (long i = 1; i <= 12; i++) {
        assertThat(grid.update(i % 2 == 0 ? ANN : BOB, "add", "jobs", 1L)).isEqualTo(i);
        if (i % 4 == 0) {
          long leader = grid.leader();
          grid.group.kill(leader);
          grid.group.run(PATIENT);
          grid.group.wake(leader);
          grid.group.run(500);
        }
      }
      assertThat(grid.counts()).isEqualTo(Map.of("jobs", 12L));
    }
  }
}
