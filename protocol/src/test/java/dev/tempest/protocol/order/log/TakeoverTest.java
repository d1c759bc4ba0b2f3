package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** From whom a new leader takes the log before it. */
final class TakeoverTest {
  private static final List<Long> MEMBERS = List.of(1L, 2L, 3L);
  private static final Group GROUP =
      new Group(3, Quorum.MAJORITY, 20, 100, false, Group.Leases.NONE, 10, 1_000);
  private static final Ballot BEFORE = new Ballot(1, 1);
  private static final Ballot BALLOT = new Ballot(2, 3);

  private final Acceptor acceptor = new Acceptor();
  private final Followers followers = new Followers(3);
  private final List<Agreement.Effect> effects = new ArrayList<>();
  private final Takeover takeover;

  TakeoverTest() {
    acceptor.found(new SlotEntry.Members(MEMBERS));
    acceptor.promise(BALLOT);
    followers.add(MEMBERS, 0);
    takeover = new Takeover(GROUP, acceptor, followers, List.of(), 0);
    takeover.ask(0);
  }

  /** It has promised, and its log begins there. */
  private void promises(long from, long start) {
    Objects.requireNonNull(followers.get(from)).promise =
        new LogMessage.Promise(BALLOT, BEFORE, start, 12, 11, MEMBERS);
    takeover.promised(0, effects);
  }

  private Agreement.Effect fetch(long from) {
    return new Agreement.Effect.Send(from, new LogMessage.Fetch(BALLOT, 1));
  }

  @Test
  void ofTwoWithTheSameLogOneGivesItThatStillHasAllOfIt() {
    promises(1, 5);
    assertThat(effects).isEmpty();
    takeover.stores(Objects.requireNonNull(followers.get(2)), 10);
    assertThat(takeover.comesOn(9)).isTrue(); // Its disk may be slow.
    promises(2, 1);
    assertThat(effects).containsExactly(fetch(2));
  }

  @Test
  void whicheverPromisedFirst() {
    promises(2, 1);
    promises(1, 5);
    assertThat(effects).containsExactly(fetch(2));
  }

  @Test
  void itsOwnIsFetchedFromNobody() {
    takeover.tick(0, effects);
    Objects.requireNonNull(followers.get(1)).promise =
        new LogMessage.Promise(BALLOT, Ballot.NONE, 0, 1, 1, MEMBERS);
    takeover.promised(0, effects);
    assertThat(takeover.taken()).isEqualTo(Ballot.NONE);
  }
}
