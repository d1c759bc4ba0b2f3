package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a leader does for those that work, and to those that do not. */
final class LeaderTest {
  private static final long LONG = 10 * ByHand.ELECTION;
  private static final SlotEntry.Proposed ENTRY =
      new SlotEntry.Proposed(new RequestId(1, 1), 0, 0, new Change(Bytes.of((byte) 7)));

  private static final SlotEntry.Proposed LARGE =
      new SlotEntry.Proposed(new RequestId(1, 2), 0, 0, new Change(Bytes.of(new byte[30_000])));

  private final ByHand group = new ByHand(1L, 2L, 3L);

  @Test
  void whoComesBackFromACutDeposesNobody() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    Ballot ballot = group.machine(leader).ballot();
    Long[] others = Stream.of(1L, 2L, 3L).filter(id -> id != leader).toArray(Long[]::new);
    for (int i = 0; i < 10; i++) {
      group.run(LONG, leader, others[0]);
      group.run(LONG, 1L, 2L, 3L);
    }
    assertThat(group.machine(leader).serves()).isTrue();
    assertThat(group.machine(others[1]).ballot()).isEqualTo(ballot);
  }

  @Test
  void aLeaderThatReachesNoMajorityServesNoLonger() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    group.run(LONG, leader);
    assertThat(group.machine(leader).serves()).isFalse();
  }

  /** What it could not hear while it was busy is no silence, but the rest is. */
  @Test
  void aLeaderWhoseTurnsTakeLongServesNoLongerEither() {
    ByHand group = new ByHand(1L, 2L, 3L);
    group.run(1_000, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    for (int turn = 0; turn < 10; turn++) {
      group.isBusy(leader, 60);
      group.run(60, 1L, 2L, 3L);
    }
    assertThat(group.machine(leader).serves()).isTrue();
    for (int turn = 0; turn < 4; turn++) {
      group.isBusy(leader, 60);
      group.run(60, leader);
    }
    assertThat(group.machine(leader).serves()).isFalse();
  }

  /** Its sender follows another leader, whose log may be another one. */
  @Test
  void whatWasAcceptedByAnotherBallotDoesNotCount() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    long other = leader % 3 + 1;
    group.propose(leader, ENTRY);
    group.run(2, leader);
    Consensus machine = group.machine(leader);
    group.hears(
        leader, other, new LogMessage.Accepted(machine.ballot().next(other), machine.length()));
    assertThat(group.committed(leader)).doesNotContain(ENTRY);
    group.hears(leader, other, new LogMessage.Accepted(machine.ballot(), machine.length()));
    assertThat(group.committed(leader)).contains(ENTRY);
  }

  @Test
  void oneLostMessageCostsAFewMore() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    load(leader, 100);
    group.takeSent();
    load(leader, 100);
    int usual = group.takeSent();
    boolean[] isLost = new boolean[1];
    group.lose((to, message) -> {
      boolean loses =
          !isLost[0] && message instanceof LogMessage.Accept a && !a.entries().isEmpty();
      isLost[0] |= loses;
      return loses;
    });
    load(leader, 100);
    group.takeSent();
    load(leader, 100);
    assertThat(isLost[0]).isTrue();
    assertThat(group.takeSent()).isLessThan(usual * 5 / 4);
    assertThat(group.committed(leader)).hasSizeGreaterThan(1_900);
  }

  /** Followers say again and again that they have no more, as long as there is nothing more. */
  @Test
  void whatTheySayOfASignOfLifeIsNoSignOfALoss() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    int[] sent = new int[1];
    group.lose((to, message) -> {
      sent[0] += message instanceof LogMessage.Accept a && !a.entries().isEmpty() ? 1 : 0;
      return false;
    });
    long every = 5 * ByHand.HEARTBEAT + 1; // At each time between two of them.
    for (int i = 0; i < ByHand.HEARTBEAT; i++) {
      group.propose(leader, ENTRY);
      group.run(every, 1L, 2L, 3L);
    }
    assertThat(sent[0]).isEqualTo(2L * ByHand.HEARTBEAT);
  }

  /** Megabytes do on a slow network, and what is small overtakes them. */
  @Test
  void anEntryThatTravelsForLongDeposesNobody() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    Ballot ballot = group.machine(leader).ballot();
    int[] sent = new int[1];
    group.travel(message -> {
      boolean isLarge = message instanceof LogMessage.Accept a && a.entries().contains(LARGE);
      sent[0] += isLarge ? 1 : 0;
      return isLarge ? 5 * ByHand.ELECTION : 1;
    });
    group.propose(leader, LARGE);
    group.run(6 * ByHand.ELECTION, 1L, 2L, 3L);
    assertThat(group.machine(leader).ballot()).isEqualTo(ballot);
    assertThat(group.machine(leader).serves()).isTrue();
    assertThat(group.committed(leader)).contains(LARGE);
    assertThat(sent[0]).isLessThanOrEqualTo(2);
  }

  /** If it did, each of the others would be asked to do the same, and be succeeded, too. */
  @Test
  void aLeaderThatIsBusyWithEachUpdateComesToAnEndWithSome() {
    becomePatient();
    long leader = group.leader(1L, 2L, 3L);
    int before = group.committed(leader).size();
    for (int i = 0; i < 10; i++) {
      updateThatTakesLong();
    }
    assertThat(group.leader(1L, 2L, 3L)).isEqualTo(leader);
    assertThat(group.committed(leader)).hasSize(before + 10);
  }

  /** Leaders that are busy follow each other, until all are as patient as they get. */
  private void becomePatient() {
    group.run(LONG, 1L, 2L, 3L);
    for (int i = 0; i < 10; i++) {
      updateThatTakesLong();
    }
  }

  private void updateThatTakesLong() {
    for (long id = 1; id <= 3; id++) {
      if (group.machine(id).serves()) {
        group.propose(id, ENTRY);
        group.isBusy(id, 5 * ByHand.ELECTION / 2);
      }
    }
    group.run(4 * ByHand.ELECTION, 1L, 2L, 3L);
  }

  /** They were patient with each other before; nobody is left for whom that is good. */
  @Test
  void whereAllHoldBackOneLeadsSoonHoweverPatientTheyAre() {
    becomePatient();
    Stream.of(1L, 2L, 3L).forEach(group::holdBack);
    boolean hasLed = false; // It retires after a while.
    for (int i = 0; i < 20; i++) {
      group.run(ByHand.ELECTION, 1L, 2L, 3L);
      hasLed |= Stream.of(1L, 2L, 3L).anyMatch(id -> group.machine(id).serves());
    }
    assertThat(hasLed).isTrue();
  }

  @Test
  void whoDoesNotHoldBackLeadsFirstHoweverPatientTheyAre() {
    becomePatient();
    long leader = group.leader(1L, 2L, 3L);
    long fit = leader % 3 + 1;
    Stream.of(1L, 2L, 3L).filter(id -> id != fit).forEach(group::holdBack);
    group.run(3 * LONG, 1L, 2L, 3L);
    assertThat(group.leader(1L, 2L, 3L)).isEqualTo(fit);
  }

  /** It would leave no room for a higher one. */
  @Test
  void nobodyRisesToABallotThatNobodyCanHaveComeTo() {
    group.run(LONG, 1L, 2L, 3L);
    long leader = group.leader(1L, 2L, 3L);
    Ballot last = new Ballot(1L << 60, leader % 3 + 1);
    group.hears(leader, last.replica(), new LogMessage.Rejected(last));
    group.hears(leader, last.replica(), new LogMessage.Prepare(last));
    assertThat(group.machine(leader).serves()).isTrue();
    group.run(LONG, 1L, 2L, 3L);
    assertThat(group.machine(leader).serves()).isTrue();
  }

  private void load(long leader, int time) {
    for (int i = 0; i < time; i++) {
      for (int each = 0; each < 5; each++) {
        group.propose(leader, ENTRY);
      }
      group.run(1, 1L, 2L, 3L);
    }
  }
}
