package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Members that change while leaders do. */
final class MembersTest {
  private static final long LONG = 10 * ByHand.ELECTION;
  private static final SlotEntry.Proposed ENTRY =
      new SlotEntry.Proposed(new RequestId(1, 1), 0, 0, new Change(Bytes.of((byte) 7)));

  @Test
  void whoHasNoMemoryJoinsInPlaceOfWhoHadIt() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    group.start();
    for (long id : List.of(1L, 2L, 4L)) {
      group.change(id, 1L, 2L, 4L);
    }
    group.run(LONG, 1L, 2L, 4L);
    assertThat(group.machine(4).members()).containsExactly(1L, 2L, 4L);
    assertThat(group.committed(4)).isNotEmpty().isEqualTo(group.committed(1));
  }

  @Test
  void whoHasGoneMakesRoomWhereThereIsNoMore() {
    Long[] all = ids(1, SlotEntry.Members.COUNT_MAX);
    ByHand group = new ByHand(all);
    group.run(LONG, all);
    group.start();
    long leader = group.leader(all);
    long gone = leader % all.length + 1;
    Long[] living = without(gone, ids(1, all.length + 1));
    for (int i = 0; i < 2; i++) {
      group.change(leader, List.of(gone), ids(1, all.length + 1)); // It may come back.
      group.run(LONG, living);
    }
    assertThat(group.machine(leader).members()).containsExactlyInAnyOrder(living);
  }

  private static Long[] ids(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toArray(Long[]::new);
  }

  /** It does not know that it has left: it misses a leader, and another such one agrees. */
  @Test
  void whoHasLeftUnnoticedDisturbsNobody() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    group.start();
    group.start();
    long first = group.leader(1L, 2L, 3L);
    Long[] gone = without(first, 1L, 2L, 3L);
    group.change(first, first, 4L, 5L, gone[1]);
    group.run(LONG, first, 4L, 5L, gone[1]);
    group.change(first, first, 4L, 5L);
    group.run(LONG, first, 4L, 5L);
    assertThat(group.machine(4).members()).containsExactlyInAnyOrder(first, 4L, 5L);
    Ballot ballot = group.machine(first).ballot();
    group.run(20 * LONG, 1L, 2L, 3L, 4L, 5L);
    assertThat(group.machine(first).ballot()).isEqualTo(ballot);
    assertThat(group.machine(first).serves()).isTrue();
  }

  @Test
  void aLeaderThatIsAloneCannotMakeItselfTheOnlyMember() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    int before = group.committed(leader).size();
    group.change(leader, leader);
    group.run(ByHand.ELECTION / 2, leader);
    assertThat(group.committed(leader)).hasSize(before);
    group.run(LONG, 1L, 2L, 3L);
    group.change(group.leader(1L, 2L, 3L), leader);
    group.run(LONG, 1L, 2L, 3L);
    assertThat(group.machine(leader).members()).containsExactly(leader);
    assertThat(group.machine(leader).serves()).isTrue();
  }

  /** By its own log two of three are a majority; by that of the other one, three of five are. */
  @Test
  void aCandidateNeedsAMajorityOfTheMembersByTheLogThatItTakes() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    long first = group.leader(1L, 2L, 3L);
    Long[] others = without(first, 1L, 2L, 3L);
    long knows = others[0];
    long knowsNot = others[1];
    group.start();
    group.start();
    group.change(first, 1L, 2L, 3L, 4L, 5L);
    group.run(LONG, first, knows, 4L, 5L);
    assertThat(group.machine(knows).members()).hasSize(5);
    assertThat(group.machine(knowsNot).members()).hasSize(3);
    group.propose(first, ENTRY);
    group.run(5, first, 4L, 5L);
    assertThat(group.committed(first)).contains(ENTRY);

    group.run(LONG, knows, knowsNot);
    group.run(LONG, knows, knowsNot, 4L);
    assertThat(group.committed(knows)).contains(ENTRY);
  }

  /** It has promised nothing, and would promise anything. */
  @Test
  void whoHasNotCaughtUpDoesNotCount() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    group.start();
    long leader = group.leader(1L, 2L, 3L);
    group.change(leader, 1L, 2L, 3L, 4L);
    group.run(LONG, 1L, 2L, 3L);
    assertThat(group.machine(leader).members()).containsExactly(1L, 2L, 3L);
    group.propose(leader, ENTRY);
    group.run(LONG, 1L, 2L, 3L);
    assertThat(group.committed(leader)).contains(ENTRY);
  }

  /** It takes the place of one that is gone: all would wait for it if it counted. */
  @Test
  void whoIsSlowToCatchUpHoldsUpNobody() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    group.start();
    long leader = group.leader(1L, 2L, 3L);
    long other = leader % 3 + 1;
    for (int i = 0; i < 40; i++) {
      group.propose(leader, ENTRY);
    }
    group.run(LONG, leader, other);
    boolean[] isSlow = {true};
    group.lose((to, message) ->
        isSlow[0] && to == 4 && message instanceof LogMessage.Accept a && !a.entries().isEmpty());
    group.change(leader, 1L, 2L, 3L, 4L);
    group.run(LONG, leader, other, 4L);
    int before = group.committed(leader).size();
    group.propose(leader, ENTRY);
    group.run(LONG, leader, other, 4L);
    assertThat(group.committed(leader)).hasSize(before + 1);
    isSlow[0] = false;
    group.run(LONG, leader, other, 4L);
    assertThat(group.machine(leader).members()).containsExactly(1L, 2L, 3L, 4L);
  }

  /** With both as members, all three that are left would have to be there. */
  @Test
  void whoHasGoneGoesBeforeAnotherOneTakesItsPlace() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    group.start();
    long leader = group.leader(1L, 2L, 3L);
    long other = leader % 3 + 1;
    long gone = other % 3 + 1;
    group.lose((to, message) -> to == gone);
    Set<Integer> sizes = new TreeSet<>();
    for (int i = 0; i < LONG; i++) {
      group.change(leader, List.of(gone), leader, other, 4L);
      group.run(1, leader, other, 4L);
      sizes.add(group.machine(leader).members().size());
    }
    assertThat(group.machine(leader).members()).containsExactlyInAnyOrder(leader, other, 4L);
    assertThat(sizes).containsExactly(2, 3);
  }

  @Test
  void aLeaderThatIsWantedNoMoreIsSucceeded() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(LONG, 1L, 2L, 3L);
    long gone = group.leader(1L, 2L, 3L);
    Long[] others = without(gone, 1L, 2L, 3L);
    group.change(gone, others);
    group.run(LONG, 1L, 2L, 3L);
    assertThat(group.machine(gone).serves()).isFalse();
    assertThat(group.machine(group.leader(others)).members()).containsExactly(others);
  }

  /**
   * Raft's first rule for changes of one server at a time had this bug (Ongaro, 2015): two leaders
   * of different ballots change the same members differently, and no majority of the one change
   * meets one of the other.
   */
  @Test
  void aLeaderChangesNoMembersBeforeItHasCommittedSomething() {
    ByHand group = new ByHand(1L, 2L, 3L, 4L);
    group.run(LONG, 1L, 2L, 3L, 4L);
    long first = group.leader(1L, 2L, 3L, 4L);
    group.start();
    group.change(first, 1L, 2L, 3L, 4L, 5L);
    group.run(ByHand.ELECTION * 3 / 4, first, 5L);
    assertThat(group.machine(5).members()).containsExactly(1L, 2L, 3L, 4L, 5L);

    Long[] others = without(first, 1L, 2L, 3L, 4L);
    List.of(others).forEach(id -> group.change(id, others));
    List<Long> synced = new ArrayList<>();
    group.lose((to, message) -> message instanceof LogMessage.Sync && !isFirst(to, synced));
    group.run(LONG, others);
    long second = group.machine(others[0]).ballot().replica();
    long fourth = without(synced.getFirst(), without(second, others))[0];
    group.lose((to, message) -> false);
    group.run(LONG, first, fourth, 5L);
    group.run(LONG, 1L, 2L, 3L, 4L, 5L);

    List<SlotEntry> one = group.committed(second);
    List<SlotEntry> other = group.committed(first);
    int both = Math.min(one.size(), other.size());
    assertThat(one.subList(0, both)).isEqualTo(other.subList(0, both));
  }

  private static boolean isFirst(long id, List<Long> all) {
    if (all.isEmpty()) {
      all.add(id);
    }
    return all.getFirst() == id;
  }

  private static Long[] without(long gone, Long... members) {
    return List.of(members).stream().filter(id -> id != gone).toArray(Long[]::new);
  }
}
