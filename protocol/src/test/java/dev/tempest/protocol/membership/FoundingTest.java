package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Members.Event;
import dev.tempest.protocol.membership.Members.Phase;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Probe;
import dev.tempest.wire.Message.Roster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who hears of processes that it does not understand, and founds no cluster beside theirs. */
final class FoundingTest {
  private static final long MILLI = 1_000_000;

  private record Place(String text) implements Address {}

  private long nowNanos = 1_700_000_000_000L * MILLI;
  private final Members members =
      new Members(
          MemberSettings.of(List.of("seed")), new Self(50, "me", ""), Place::new, 1, nowNanos);

  @Test
  void whoHearsOfOtherVersionsOnlyFoundsNoCluster() {
    pass(100);
    members.step(new Event.OtherVersion(nowNanos));
    pass(500);
    assertThat(members.phase()).isEqualTo(Phase.PROBING);
    assertThat(members.isRefused()).as("others may answer yet").isFalse();
    pass(10_000);
    assertThat(members.phase()).isEqualTo(Phase.PROBING);
    assertThat(members.isRefused()).isTrue();
    MemberRecord member = new MemberRecord(1, MemberState.PRESENT, 10, 0, "at1", "");
    members.step(
        new Event.Received(nowNanos, new Place("at1"), new Roster(member, List.of(), List.of())));
    assertThat(members.phase()).isEqualTo(Phase.ACTIVE);
    assertThat(members.isRefused()).isFalse();
  }

  @Test
  void aMemberStaysOneWhateverOthersSpeak() {
    pass(10_000);
    members.step(new Event.OtherVersion(nowNanos));
    assertThat(members.phase()).isEqualTo(Phase.ACTIVE);
    assertThat(members.isRefused()).isFalse();
  }

  @Test
  void nobodyFoundsWhileSomebodyWhoIsBusyMayBeAMember() {
    pass(100);
    knocked(Occupant.SILENT);
    pass(10_000);
    assertThat(members.phase()).isEqualTo(Phase.PROBING);
    assertThat(members.awaited()).containsExactly(new Place("seed"));
    knocked(Occupant.NONE); // It has ended.
    pass(40);
    assertThat(members.founded()).isTrue();
    assertThat(members.awaited()).isEmpty();
  }

  @Test
  void whoeverProbesAsWellHoldsNobodyUp() {
    knocked(Occupant.SILENT);
    for (int heartbeat = 1; members.phase() == Phase.PROBING; heartbeat++) {
      pass(40);
      MemberRecord other = new MemberRecord(60, MemberState.PRESENT, heartbeat, 0, "seed", "");
      members.step(new Event.Received(nowNanos, new Place("seed"), new Probe(other, false)));
      assertThat(heartbeat).isLessThan(10);
    }
    assertThat(members.founded()).isTrue();
  }

  @Test
  void aMemberThatSaysSoIsWaitedForUntilItAnswersOrWouldHaveBeenExpelled() {
    pass(100);
    MemberRecord other = new MemberRecord(60, MemberState.PRESENT, 1, 0, "seed", "");
    members.step(new Event.Received(nowNanos, new Place("seed"), new Probe(other, false)));
    knocked(Occupant.MEMBER);
    pass(59_000);
    assertThat(members.phase()).isEqualTo(Phase.PROBING);
    pass(2_000);
    assertThat(members.founded()).isTrue();
  }

  @Test
  void nobodyIsWaitedForWhoIsNoCandidateAnyMore() {
    pass(100);
    knocked(Occupant.SILENT);
    pass(1_000);
    members.step(new Event.Candidates(nowNanos, List.of("other")));
    pass(40);
    assertThat(members.founded()).isTrue();
  }

  @Test
  void whereNobodyLivesItFoundsAsSoonAsEver() {
    pass(10);
    knocked(Occupant.NONE);
    pass(240);
    assertThat(members.founded()).isTrue();
  }

  private void knocked(Occupant occupant) {
    if (members.nextTickNanos() <= nowNanos) {
      pass(0);
    }
    members.step(new Event.Knocked(nowNanos, new Place("seed"), occupant));
  }

  private void pass(long millis) {
    long untilNanos = nowNanos + millis * MILLI;
    while (members.nextTickNanos() <= untilNanos) {
      nowNanos = Math.max(nowNanos, members.nextTickNanos());
      members.step(new Event.Tick(nowNanos));
      members.checkInvariants();
    }
    nowNanos = untilNanos;
  }
}
