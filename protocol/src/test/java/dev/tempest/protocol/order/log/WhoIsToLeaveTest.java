package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A replica that is to leave may be the only one that has what the others need to go on. */
final class WhoIsToLeaveTest {
  private static final Ballot BEFORE = new Ballot(1, 1);
  private static final int ENOUGH = 20;

  private final Consensus leaving = back(1, 2L);
  private long now = 1;

  /** A replica that comes back with a state of three slots, and a change of members after it. */
  private static Consensus back(long id, Long... members) {
    var change = new SlotEntry.Members(List.of(members));
    var accepted = new LogMessage.Accept(BEFORE, 3, List.of(change), 3, false);
    Acceptor acceptor =
        Acceptor.restored(
            new LogPoint(3, List.of(1L, 2L), 0, 0, 0),
            List.of(new LogMessage.Prepare(BEFORE), accepted));
    return new Consensus(
        new Group(id, Quorum.MAJORITY, 20, 100, true, Group.Leases.NONE, 4, 1_000),
        acceptor,
        id,
        0);
  }

  /** Whether it asks the other one whether it would follow. */
  private boolean asks(Consensus replica) {
    for (int i = 0; i < ENOUGH; i++) {
      now = Math.max(now + 1, replica.nextTickNanos());
      for (Agreement.Effect effect : replica.step(new Agreement.Event.Tick(now))) {
        if (effect.toString().contains("PreVote")) {
          return true;
        }
      }
    }
    return false;
  }

  /** The other one's log may end before that state begins: then it can lead nobody. */
  @Test
  void leadsUntilItIsSureToHaveLeft() {
    assertThat(asks(leaving)).isTrue();
  }

  @Test
  void leadsNoMoreThen() {
    var ballot = new Ballot(2, 2);
    var begun = List.<SlotEntry>of(new SlotEntry.Begun(ballot));
    now = 200; // It has heard nobody for long.
    hears(new LogMessage.Prepare(ballot));
    hears(new LogMessage.Sync(ballot, 4, false, 5, 4, begun));
    hears(new LogMessage.Accept(ballot, 5, List.of(), 5, false));
    assertThat(asks(leaving)).isFalse();
  }

  private void hears(LogMessage.OfLeader said) {
    leaving.step(new Agreement.Event.Received(now, 2, said));
  }
}
