package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Followers that read alone, while their leader commits nothing that they have not accepted. */
final class ReadLeaseTest {
  private static final long LEASE = ByHand.ELECTION / 4 * 3;
  private static final SlotEntry.Proposed ENTRY =
      new SlotEntry.Proposed(new RequestId(1, 1), 0, 0, new Change(Bytes.of((byte) 7)));

  private final ByHand group = new ByHand(false, Group.Leases.MEMBERS, 1L, 2L, 3L);
  private final long leader;
  private final long near;
  private final long far;

  ReadLeaseTest() {
    group.run(1_000, 1L, 2L, 3L);
    leader = group.leader(1L, 2L, 3L);
    List<Long> others = LongStream.of(1, 2, 3).filter(each -> each != leader).boxed().toList();
    near = others.getFirst();
    far = others.getLast();
  }

  private boolean isCommitted() {
    return group.committed(leader).contains(ENTRY);
  }

  @Test
  void allMembersHoldOne() {
    assertThat(List.of(leader, near, far)).allMatch(group::holdsLease);
  }

  @Test
  void nothingIsCommittedThatAHolderLacks() {
    group.propose(leader, ENTRY);
    long since = group.now();
    while (!isCommitted()) {
      assertThat(group.now() - since).isLessThan(LEASE + ByHand.HEARTBEAT);
      group.run(1, leader, near);
      assertThat(isCommitted() && group.holdsLease(far)).isFalse();
    }
    assertThat(group.holdsLease(near)).isTrue();
  }

  /** Whoever is slow holds others up once, and not again and again. */
  @Test
  void whoDoesNotKeepUpHoldsNone() {
    group.lose((to, message) ->
        to == far && message instanceof LogMessage.Accept accept && !accept.entries().isEmpty());
    group.propose(leader, ENTRY);
    group.run(2 * ByHand.ELECTION, leader, near, far);
    assertThat(isCommitted()).isTrue();
    assertThat(group.holdsLease(far)).isFalse();
    group.lose((to, message) -> false);
    group.run(2 * ByHand.ELECTION, leader, near, far);
    assertThat(group.holdsLease(far)).isTrue();
  }

  @Test
  void itCountsFromWhenItWasWished() {
    group.run(2 * ByHand.ELECTION, leader, near);
    group.travel(message -> message instanceof LogMessage.ReadLease ? LEASE : 1);
    for (int i = 0; i < 2 * ByHand.ELECTION; i++) {
      group.run(1, leader, near, far);
      assertThat(group.holdsLease(far)).isFalse();
    }
  }

  @Test
  void oneOfAnEarlierLifeIsNone() {
    Ballot ballot = group.machine(leader).ballot();
    Acceptor acceptor = new Acceptor();
    acceptor.promise(ballot);
    acceptor.lead(List.of(), List.of());
    Group settings = LogSettings.usual(2, 3, Order.LINEARIZABLE).group();
    OwnReadLease own = new OwnReadLease(500);
    own.take(new LogMessage.ReadLease(ballot, 499, 100), settings, 510);
    assertThat(own.untilNanos(acceptor)).isLessThan(0);
    own.take(new LogMessage.ReadLease(ballot, 500, 100), settings, 510);
    assertThat(own.untilNanos(acceptor)).isEqualTo(575);
    acceptor.promise(ballot.next(3));
    assertThat(own.untilNanos(acceptor)).isLessThan(0);
  }

  /** It is one of the majority that has promised to follow nobody else. */
  @Test
  void aLeaderThatStepsDownFollowsNobodyElseWhileOthersRead() {
    Ballot ballot = group.machine(leader).ballot();
    Ballot higher = ballot.next(far);
    group.hears(leader, far, new LogMessage.Rejected(higher));
    assertThat(group.machine(leader).serves()).isFalse();
    assertThat(group.holdsLease(near)).isTrue();
    group.hears(leader, far, new LogMessage.Prepare(higher));
    assertThat(group.machine(leader).ballot()).isEqualTo(ballot);

    group.run(ByHand.ELECTION);
    assertThat(group.holdsLease(near)).isFalse();
    group.hears(leader, far, new LogMessage.Prepare(higher));
    assertThat(group.machine(leader).ballot()).isEqualTo(higher);
  }

  @Test
  void theyDoNotEndSoonerIfTheClockOfTheLeaderLeaps() {
    group.propose(leader, ENTRY);
    group.run(5, leader, near);
    group.machine(leader).step(new Event.Tick(group.now() + 10 * ByHand.ELECTION));
    assertThat(group.holdsLease(far)).isTrue();
    assertThat(group.machine(leader).get(group.machine(leader).length() - 1)).isEqualTo(ENTRY);
    assertThat(group.machine(leader).committed()).isLessThan(group.machine(leader).length());
  }

  @Test
  void whoIsNoMemberAnyMoreHoldsNoneSoon() {
    group.change(leader, leader, near);
    group.run(2 * ByHand.ELECTION, leader, near, far);
    assertThat(group.machine(leader).members()).containsExactlyInAnyOrder(leader, near);
    assertThat(group.holdsLease(near)).isTrue();
    assertThat(group.holdsLease(far)).isFalse();
  }
}
