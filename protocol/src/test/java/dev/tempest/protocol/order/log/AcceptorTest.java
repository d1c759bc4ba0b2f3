package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a replica has accepted, and what it may give up for what another one leads with. */
final class AcceptorTest {
  private static final List<Long> MEMBERS = List.of(1L, 2L, 3L);
  private static final Group GROUP =
      new Group(3, Quorum.MAJORITY, 20, 100, false, Group.Leases.NONE, 10, 1_000);
  private static final Ballot FIRST = new Ballot(1, 1);
  private static final Ballot SECOND = new Ballot(2, 2);

  private final Acceptor acceptor = new Acceptor();

  AcceptorTest() {
    acceptor.found(new SlotEntry.Members(MEMBERS));
    acceptor.promise(FIRST);
    var whole = new LogMessage.Sync(FIRST, 1, false, 2, 1, List.of(new SlotEntry.Begun(FIRST)));
    acceptor.answer(whole, GROUP);
    acceptor.answer(accept(FIRST, 2, 2), GROUP);
  }

  private static LogMessage.Accept accept(Ballot ballot, long from, long committed) {
    return new LogMessage.Accept(ballot, from, List.of(new SlotEntry.Passed(7)), committed, true);
  }

  /** A leader that stores has it for good a while later, and may end before. */
  @Test
  void whatTheLeaderHasYetToStoreIsNotCommittedByWhoAcceptsIt() {
    LogMessage.Accept held = accept(FIRST, 3, 2);
    acceptor.answer(
        new LogMessage.Accept(FIRST, 3, held.entries(), held.committed(), false), GROUP);
    assertThat(acceptor.log().length()).isEqualTo(4);
    assertThat(acceptor.log().committed()).isEqualTo(3);
    acceptor.answer(accept(FIRST, 4, 2), GROUP);
    assertThat(acceptor.log().committed()).isEqualTo(5);
  }

  private static LogMessage.Sync state(int entries) {
    return new LogMessage.Sync(
        SECOND, 10, true, 12, 10, List.<SlotEntry>of(passed(), passed()).subList(0, entries));
  }

  private static SlotEntry passed() {
    return new SlotEntry.Passed(9);
  }

  private static LogPoint point(long slot) {
    return new LogPoint(slot, MEMBERS, 8, 0, 0);
  }

  /** It may be needed: of what it accepted something may have been committed. */
  @Test
  void aStateTakesThePlaceOfALogOnlyWithAllThatFollowsIt() {
    acceptor.promise(SECOND);
    assertThat(acceptor.answer(state(1), GROUP)).isEqualTo(new LogMessage.Synced(SECOND, 11));
    assertThat(acceptor.takesStateAt()).isEqualTo(10);
    acceptor.stateIsHere(point(10));
    assertThat(acceptor.promise().accepted()).isEqualTo(FIRST);
    assertThat(acceptor.log().length()).isEqualTo(3);
    assertThat(acceptor.takeInstalled()).isNull();
    assertThat(acceptor.answer(state(2), GROUP)).isEqualTo(new LogMessage.Accepted(SECOND, 12));
    assertThat(acceptor.takeInstalled()).isEqualTo(point(10));
    assertThat(acceptor.promise().accepted()).isEqualTo(SECOND);
    assertThat(acceptor.log().start()).isEqualTo(10);
  }

  @Test
  void allThatFollowsAStateDoesNotCountWithoutIt() {
    acceptor.promise(SECOND);
    assertThat(acceptor.answer(state(2), GROUP)).isEqualTo(new LogMessage.Synced(SECOND, 12));
    assertThat(acceptor.log().length()).isEqualTo(3);
    acceptor.stateIsHere(point(11));
    assertThat(acceptor.answer(state(2), GROUP)).isEqualTo(new LogMessage.Synced(SECOND, 12));
    acceptor.stateIsHere(point(10));
    assertThat(acceptor.answer(state(2), GROUP)).isEqualTo(new LogMessage.Accepted(SECOND, 12));
  }

  @Test
  void aHigherBallotForgetsWhatHasComeOfALowerOne() {
    acceptor.promise(SECOND);
    acceptor.answer(state(1), GROUP);
    acceptor.stateIsHere(point(10));
    acceptor.promise(new Ballot(3, 1));
    assertThat(acceptor.takesStateAt()).isEqualTo(-1);
    assertThat(acceptor.promise().accepted()).isEqualTo(FIRST);
  }

  /** Of a log by another ballot it can keep what is committed; by the same one, all of it. */
  @Test
  void whoLacksWhatIsOnlyInAStateCannotLead() {
    acceptor.promise(SECOND);
    acceptor.answer(state(2), GROUP);
    acceptor.stateIsHere(point(10));
    acceptor.answer(state(2), GROUP);
    Ballot third = new Ballot(3, 2);
    assertThat(acceptor.couldBeLedBy(2, new LogMessage.PreVote(third, FIRST, 11, 9))).isFalse();
    assertThat(acceptor.couldBeLedBy(2, new LogMessage.PreVote(third, FIRST, 11, 10))).isTrue();
    assertThat(acceptor.couldBeLedBy(2, new LogMessage.PreVote(third, SECOND, 11, 9))).isTrue();
  }

  @Test
  void whatFollowsAGapIsNotTaken() {
    assertThat(acceptor.answer(accept(FIRST, 5, 3), GROUP))
        .isEqualTo(new LogMessage.Accepted(FIRST, 3));
  }

  @Test
  void nothingOfALeaderIsAcceptedBeforeItsLogIs() {
    acceptor.promise(SECOND);
    assertThat(acceptor.answer(accept(SECOND, 3, 3), GROUP)).isNull();
    assertThat(acceptor.log().length()).isEqualTo(3);
  }

  @Test
  void whatItDoesNotHaveIsNotGiven() {
    for (long from : new long[] {4, Long.MAX_VALUE}) {
      assertThat(acceptor.answer(new LogMessage.Fetch(FIRST, from), GROUP))
          .isEqualTo(new LogMessage.Fetched(FIRST, from, List.of()));
    }
  }
}
