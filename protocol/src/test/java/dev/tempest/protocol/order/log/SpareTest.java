package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.LogMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server of a service with a primary that has no copy: whether none is missing. */
final class SpareTest {
  private static final long ELECTION = 100;
  private static final int COPIES = 2;
  private static final GroupView VIEW = new GroupView(3, List.of(1L, 2L), List.of(1L, 2L));

  private final PrimaryBackup spare = replica(3);
  private long now = 10;

  private static PrimaryBackup replica(long self) {
    Group group = new Group(self, Quorum.ALL, 20, ELECTION, false, Group.Leases.NONE, 4, 1_000);
    return new PrimaryBackup(group, COPIES, 0);
  }

  private List<Agreement.Effect> hears(long from, LogMessage.OfBallot said) {
    return spare.step(new Agreement.Event.Received(now, from, said));
  }

  private List<Agreement.Effect> passes(long time) {
    now += time;
    return spare.step(new Agreement.Event.Tick(now));
  }

  /** Its own place may be the one that is empty: a view tells of a member that was killed, too. */
  @Test
  void waitsForTheWordOfThePrimary() {
    spare.step(new Agreement.Event.Viewed(now, VIEW));
    assertThat(spare.hasNoCopy()).isTrue();
    assertThat(spare.isSpare()).isFalse();
    var asked = new Agreement.Effect.Send(1, new LogMessage.Rejected(VIEW.ballot()));
    assertThat(passes(20)).contains(asked);

    hears(2, new LogMessage.Rejected(VIEW.ballot()));
    assertThat(spare.isSpare()).as("who is not primary says nothing of that").isFalse();
    hears(1, new LogMessage.Rejected(VIEW.ballot()));
    assertThat(spare.isSpare()).isTrue();
    assertThat(passes(20)).doesNotContain(asked);
  }

  @Test
  void whatItHeardOfLongAgoIsNotKnown() {
    spare.step(new Agreement.Event.Viewed(now, VIEW));
    hears(1, new LogMessage.Rejected(VIEW.ballot()));
    for (int i = 0; i < 70; i++) {
      passes(ELECTION);
    }
    assertThat(spare.isSpare()).isFalse();
  }

  @Test
  void ofTheNextViewItKnowsNothingYet() {
    spare.step(new Agreement.Event.Viewed(now, VIEW));
    hears(1, new LogMessage.Rejected(VIEW.ballot()));
    spare.step(new Agreement.Event.Viewed(now, new GroupView(4, List.of(1L, 4L), List.of(1L, 4L))));
    assertThat(spare.isSpare()).isFalse();
  }
}
