package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A leader that reads alone, while nobody else may lead. */
final class LeaseTest {
  private final ByHand group = new ByHand(1L, 2L, 3L);
  private final long leader;
  private final List<Long> others;

  LeaseTest() {
    group.run(1_000, 1L, 2L, 3L);
    leader = group.leader(1L, 2L, 3L);
    others = LongStream.of(1, 2, 3).filter(each -> each != leader).boxed().toList();
  }

  @Test
  void whoLeadsHoldsOneAndNobodyElse() {
    assertThat(group.holdsLease(leader)).isTrue();
    assertThat(others).noneMatch(group::holdsLease);
  }

  @Test
  void oneOtherIsEnoughOfThree() {
    group.run(1_000, leader, others.getFirst());
    assertThat(group.holdsLease(leader)).isTrue();
  }

  @Test
  void itEndsWithoutAMajorityThoughTheLeaderGoesOn() {
    group.run(ByHand.ELECTION, leader);
    assertThat(group.machine(leader).serves()).isTrue();
    assertThat(group.holdsLease(leader)).isFalse();
  }

  @Test
  void itHasEndedWhenAnotherOneLeads() {
    cutOffTheLeader();
    while (others.stream().noneMatch(each -> group.machine(each).serves())) {
      group.run(1, 1L, 2L, 3L);
    }
    assertThat(group.holdsLease(leader)).isFalse();
  }

  @Test
  void whoHasGrantedOneDoesNotLeadThoughOthersWouldFollow() {
    long follower = others.getFirst();
    AtomicReference<Ballot> wanted = new AtomicReference<>(Ballot.NONE);
    group.lose((to, message) -> {
      if (message instanceof LogMessage.PreVote asked && asked.ballot().replica() == follower) {
        wanted.set(asked.ballot());
      }
      return true;
    });
    while (wanted.get().equals(Ballot.NONE)) {
      group.run(1, 1L, 2L, 3L);
    }
    group.lose((to, message) -> false);
    Ballot ballot = group.machine(leader).ballot();
    group.hears(follower, leader, new LogMessage.LeaseRequest(ballot, group.now()));

    group.hears(follower, others.getLast(), new LogMessage.PreVoted(wanted.get()));
    assertThat(group.machine(follower).ballot()).isEqualTo(ballot);
  }

  @Test
  void whoseClockLeapsFollowsNobodyElseAtOnce() {
    long follower = others.getFirst();
    long other = others.getLast();
    Ballot ballot = group.machine(follower).ballot();
    long leapt = group.now() + 1_000;

    var next = new LogMessage.Prepare(ballot.next(other));
    group.machine(follower).step(new Event.Received(leapt, other, next));
    assertThat(group.machine(follower).ballot()).isEqualTo(ballot);
    group.machine(follower).step(new Event.Received(leapt + 2 * ByHand.ELECTION, other, next));
    assertThat(group.machine(follower).ballot()).isEqualTo(next.ballot());
  }

  /** Leaders that follow each other soon make it patient for longer than its clock leaps. */
  @Test
  void whoIsPatientNoticesThatItsClockLeaps() {
    Group settings = new Group(2, Quorum.MAJORITY, 20, 100, false, Group.Leases.LEADER, 4, 1_000);
    Consensus follower = new Consensus(settings, 7, 0);
    follower.step(new Event.Founded(0, new SlotEntry.Members(List.of(1L, 2L, 3L))));
    long now = 0;
    Ballot ballot = Ballot.NONE;
    for (long next : List.of(3L, 1L, 3L, 1L)) {
      now += follower.electionNanos() + 5;
      ballot = ballot.next(next);
      follower.step(new Event.Received(now, next, new LogMessage.Prepare(ballot)));
      var begun = List.<SlotEntry>of(new SlotEntry.Begun(ballot));
      follower.step(
          new Event.Received(now, next, new LogMessage.Sync(ballot, 1, false, 2, 1, begun)));
    }
    assertThat(follower.electionNanos()).isEqualTo(800);

    follower.step(new Event.Received(now, 1, new LogMessage.LeaseRequest(ballot, now)));
    long leapt = now + 1_100;
    follower.step(new Event.Tick(leapt));
    follower.step(new Event.Received(leapt + 5, 3, new LogMessage.Prepare(ballot.next(3))));
    assertThat(follower.ballot()).isEqualTo(ballot);
  }

  private void cutOffTheLeader() {
    group.lose((to, message) ->
        to == leader
            || (message instanceof LogMessage.OfLeader said && said.ballot().replica() == leader));
  }
}
