package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Members.Event;
import dev.tempest.protocol.membership.Members.Phase;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
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
