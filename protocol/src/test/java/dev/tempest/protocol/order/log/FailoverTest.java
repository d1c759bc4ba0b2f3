package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.order.Order;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of updates that come while nobody leads; the client does not ask again. */
final class FailoverTest {
  private static final long ELECTED = 500;

  private final ReplicasByHand group = new ReplicasByHand();
  private final long first = group.leader();

  @Test
  void anUpdateThatMeetsNoLeaderIsAnsweredByTheNext() {
    group.kill(first);
    group.ask(1, 0, group.living());
    group.run(ELECTED);
    assertThat(group.answers(1)).containsExactly(1L);
  }

  @Test
  void theNextLeaderExecutesThemInTheOrderInWhichTheyCame() {
    group.kill(first);
    List<Long> numbers = new ArrayList<>();
    for (long sequence = 1; sequence <= 100; sequence++) {
      group.ask(sequence, 0, group.living());
    }
    group.run(ELECTED);
    for (long sequence = 1; sequence <= 100; sequence++) {
      numbers.addAll(group.answers(sequence));
    }
    assertThat(numbers).hasSize(100).isSorted().startsWith(1L).endsWith(100L);
  }

  @Test
  void whatComesWhileTheyAreExecutedWaitsBehindThem() {
    nextLeaderWithKept(50);
    group.ask(51, 0, group.living());
    group.run(ELECTED);
    assertThat(group.answers(51)).containsExactly(51L);
  }

  /** What it has executed would not be sent before all that it hears in one turn is heard. */
  @Test
  void theNextLeaderExecutesThemInItsOwnTurnsWhateverItHears() {
    long leader = nextLeaderWithKept(100);
    String before = group.replica(leader).toString();
    for (long asked = 1; asked <= 100; asked++) {
      group.hears(
          leader,
          new Beacon(ReplicasByHand.SERVICE, new RequestId(ReplicasByHand.CLIENT + 1, asked)));
    }
    assertThat(group.replica(leader)).hasToString(before);
    group.takeSent();
    group.run(1);
    assertThat(group.executed(leader)).as("in its next turn").isLessThan(100);
    assertThat(group.takeSent()).as("what it has executed then").anyMatch(FailoverTest::proposes);
    group.run(50);
    assertThat(group.executed(leader)).isEqualTo(100);
  }

  /** The next leader, which has just begun; so many updates came while nobody led. */
  private long nextLeaderWithKept(int updates) {
    group.kill(first);
    for (long sequence = 1; sequence <= updates; sequence++) {
      group.ask(sequence, 0, group.living());
    }
    while (!group.hasLeader()) {
      group.run(1);
    }
    return group.leader();
  }

  private static boolean proposes(ReplicasByHand.Sent sent) {
    return sent.message() instanceof OfLog said && HoldingsByHand.proposes(said.said());
  }

  /** Else what comes fast would wait longer and longer, and nobody would know that it waits. */
  @Test
  void forEachUpdateThatComesMeanwhileTheNextLeaderExecutesOne() {
    long leader = nextLeaderWithKept(100);
    String before = group.replica(leader).toString();
    group.ask(101, 0, List.of(leader));
    assertThat(group.replica(leader)).doesNotHaveToString(before);
    group.run(50);
    assertThat(group.answers(101)).containsExactly(101L);
  }

  /** It hears its leader all the time, and has nothing else to do. */
  @Test
  void aFollowerDropsWhatHasWaitedForLongSoThatItIsKeptAnewIfItComesAgain() {
    long follower = first % 3 + 1;
    group.ask(1, 0, List.of(follower));
    group.run(11_000);
    group.ask(1, 1, group.living().stream().filter(id -> id != first).toList());
    group.kill(first);
    group.run(ELECTED);
    assertThat(group.answers(1)).isNotEmpty().containsOnly(1L);
  }

  /** The two that are left would need the dead one as soon as it has left. */
  @Test
  void whoLeavesWhileAnotherOneIsDeadStaysUntilAThirdHasCome() {
    long dead = first % 3 + 1;
    long leaves = dead % 3 + 1;
    group.kill(dead);
    group.run(ELECTED);
    group.leave(leaves);
    group.run(ELECTED);
    group.ask(1, 0, group.living());
    group.run(ELECTED);
    assertThat(group.answers(1)).as("they still agree").containsExactly(1L);
    assertThat(group.replica(leaves).isHandedOver()).isFalse();

    group.replace(dead, 4);
    group.run(4 * ELECTED);
    assertThat(group.replica(leaves).isHandedOver()).isTrue();
    group.kill(leaves);
    group.ask(2, 0, group.living());
    group.run(ELECTED);
    assertThat(group.answers(2)).containsExactly(2L);
  }

  @Test
  void whoTakesThePlaceOfOneThatDiedSaysThatItsStateComes() {
    group.ask(1, 0, group.living());
    group.run(ELECTED);
    group.replace(first % 3 + 1, 4);
    group.run(ELECTED);
    assertThat(group.isActive(4)).isTrue();
    assertThat(group.cameOn()).containsExactly(4L);
  }

  /** Its heap is full, say, or the file of a class is gone. */
  @Test
  void aLeaderThatCannotGiveAPieceSaysSoAndGoesOn() {
    ReplicasByHand brief = new ReplicasByHand(1_000);
    long leader = brief.leader();
    for (long sequence = 1; sequence <= 50; sequence++) {
      brief.ask(sequence, 0, brief.living());
      brief.run(20);
    }
    brief.lose(message -> message instanceof OfLog(var of, var by, LogMessage.StatePart part));
    brief.replace(leader % 3 + 1, 4);
    brief.run(ELECTED);
    assertThat(brief.isActive(4)).isFalse();
    brief.living().forEach(id -> brief.askForNoPiece(id, leader));
    brief.run(ELECTED);
    assertThat(brief.hindered()).as("the others have a state").containsOnlyKeys(4L);
    assertThat(brief.hindered().get(4L)).startsWith("its leader cannot give it: ");
    brief.ask(51, 0, List.of(leader));
    brief.run(ELECTED);
    assertThat(brief.leader()).isEqualTo(leader);
    assertThat(brief.answers(51)).containsExactly(51L);
  }

  /** It has all of the next leader's log, and waits for the state with which that began. */
  @Test
  void whoLacksAStateTakesALaterOneOnceTheLogIsShortened() {
    for (int more = 0; more < 40; more++) {
      ReplicasByHand brief =
          new ReplicasByHand(
              new ReplicasByHand.Setup(
                  5, id -> Order.LINEARIZABLE, 1_000, id -> Numbers.instance()));
      long behind = brief.leader() % 5 + 1;
      brief.kill(behind);
      write(brief, 50);
      brief.lose(message -> message instanceof OfLog(var of, var by, LogMessage.StatePart part));
      brief.wake(behind);
      brief.run(ELECTED);
      brief.kill(brief.leader());
      brief.run(ELECTED);
      write(brief, more);
      long executed = brief.executed(brief.leader());
      assertThat(brief.executed(behind)).isLessThan(executed);
      brief.heal();
      brief.run(2 * ELECTED);
      assertThat(brief.executed(behind)).isEqualTo(executed);
    }
  }

  private static void write(ReplicasByHand group, int updates) {
    long before = group.executed(group.leader());
    for (long sequence = before + 1; sequence <= before + updates; sequence++) {
      group.ask(sequence, 0, group.living());
      group.run(20);
    }
  }

  /** Its number was left out when it was refused, say: no gap has to be remembered. */
  @Test
  void whatItsClientHasGivenUpIsExecutedNoMore() {
    group.ask(1, 0, 1, group.living());
    group.ask(3, 0, 3, group.living());
    group.run(ELECTED);
    group.ask(2, 0, 1, group.living());
    group.ask(4, 0, 3, group.living());
    group.run(ELECTED);
    assertThat(group.answers(4)).containsExactly(3L);
    group.living().forEach(id -> assertThat(group.executed(id)).isEqualTo(3));
  }

  @Test
  void aRetryDoesNotMakeItTwo() {
    group.kill(first);
    group.ask(1, 0, group.living());
    group.run(20);
    group.ask(1, 1, group.living());
    group.run(ELECTED);
    group.ask(1, 2, group.living());
    group.run(ELECTED);
    assertThat(group.answers(1)).isNotEmpty().containsOnly(1L);
    assertThat(group.executed(group.leader())).isEqualTo(1);
  }

  @Test
  void whatTheLeaderBeforeHasCommittedIsNotExecutedAgain() {
    group.ask(1, 0, group.living());
    group.run(100);
    group.kill(first);
    group.ask(2, 0, group.living());
    group.run(ELECTED);
    assertThat(group.executed(group.leader())).isEqualTo(2);
    assertThat(group.answers(2)).containsExactly(2L);
  }

  /** The one that has accepted it takes it over; whether the client was told it cannot know. */
  @Test
  void whatTheLeaderBeforeHasProposedIsAnsweredByTheNextAndNotExecutedAgain() {
    boolean[] accepted = new boolean[1];
    group.lose(message -> {
      boolean proposes = message instanceof OfLog said && HoldingsByHand.proposes(said.said());
      boolean loses = proposes && accepted[0];
      accepted[0] |= proposes;
      return loses;
    });
    group.ask(1, 0, group.living());
    group.run(2);
    group.kill(first);
    group.lose(message -> false);
    group.run(ELECTED);
    assertThat(accepted[0]).isTrue();
    assertThat(group.answers(1)).isNotEmpty().containsOnly(1L);
    assertThat(group.living()).allMatch(id -> group.executed(id) == 1);
  }

  /** By then its client has long been told that nobody knows. */
  @Test
  void whatHasWaitedForLongIsNotExecutedAnyMore() {
    group.kill(first);
    List<Long> living = group.living();
    group.ask(1, 0, living);
    group.lose(message -> true);
    group.run(11_000);
    group.lose(message -> false);
    group.ask(2, 0, living);
    group.run(3_000);
    assertThat(group.answers(1)).isEmpty();
    assertThat(group.answers(2)).containsExactly(1L);
  }

  /** Others may have written since, and it cannot know. */
  @Test
  void whatALeaderReadsThatWasAwayIsNotDecidedByItAlone() {
    ReplicasByHand stopped = new ReplicasByHand();
    long leader = stopped.leader();
    stopped.kill(leader);
    stopped.run(1_000);
    stopped.ask(1, 0, stopped.living());
    stopped.run(100);
    assertThat(stopped.answers(1)).containsOnly(1L);
    stopped.wake(leader);
    assertThat(stopped.look(leader)).isEmpty();
    stopped.run(500);
    assertThat(stopped.decided()).containsExactly(Decision.AGAIN);
    assertThat(stopped.look(leader)).isEmpty();
    stopped.run(100);
    assertThat(stopped.decided()).containsExactly(Decision.COUNTS);
  }
}
