package dev.tempest.protocol.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SignsOfLifeTest {
  private static final long HEARTBEAT = 10;
  private static final Address FIRST = new Place("first");
  private static final Address SECOND = new Place("second");
  private static final Ballot BALLOT = new Ballot(3, 1);
  private static final LogMessage ACCEPTED = new LogMessage.Accepted(BALLOT, 4);

  private record Place(String name) implements Address {}

  private final SignsOfLife signs = new SignsOfLife(HEARTBEAT);

  private void says(Address to, LogMessage message, long nowNanos) {
    signs.said(to, of(7, message), nowNanos);
  }

  private static Message.OfLog of(long service, LogMessage message) {
    return new Message.OfLog(service, 1, message);
  }

  @Test
  void theLatestIsSaidAgainToEachForEachServiceOnceATurnIsLong() {
    says(FIRST, new LogMessage.Accepted(BALLOT, 3), 100);
    says(FIRST, ACCEPTED, 101);
    says(SECOND, ACCEPTED, 102);
    signs.said(SECOND, of(8, ACCEPTED), 103);
    assertThat(signs.again(105, 105 + 2 * HEARTBEAT - 1)).isEmpty();
    assertThat(signs.again(105, 105 + 2 * HEARTBEAT))
        .containsExactly(
            new Effect.Send(FIRST, of(7, ACCEPTED)),
            new Effect.Send(SECOND, of(7, ACCEPTED)),
            new Effect.Send(SECOND, of(8, ACCEPTED)));
  }

  @Test
  void whatIsLargeIsNotSaidAgainButThatItsSenderIsThere() {
    SlotEntry entry =
        new SlotEntry.Proposed(new RequestId(1, 1), 0, 0, new Change(Bytes.of(new byte[1_000])));
    LogMessage.Accept accept = new LogMessage.Accept(BALLOT, 5, List.of(entry), 5, true);
    LogMessage.Accept sign = new LogMessage.Accept(BALLOT, 6, List.of(), 5, true);
    says(FIRST, accept, 100);
    says(SECOND, new LogMessage.Tell(accept), 100);
    assertThat(signs.again(100, 150))
        .containsExactly(new Effect.Send(FIRST, of(7, sign)), new Effect.Send(SECOND, of(7, sign)));
    says(FIRST, new LogMessage.Sync(BALLOT, 2, false, 9, 5, List.of(entry)), 160);
    assertThat(signs.again(160, 180))
        .contains(
            new Effect.Send(FIRST, of(7, new LogMessage.Sync(BALLOT, 2, false, 9, 6, List.of()))));
  }

  @Test
  void whoeverLeadsOrFollowsNoMoreDoesNotSeemTo() {
    says(FIRST, ACCEPTED, 100);
    assertThat(signs.again(100 + 5 * HEARTBEAT, 200)).hasSize(1);
    assertThat(signs.again(101 + 5 * HEARTBEAT, 200)).isEmpty();
  }

  @Test
  void whatWasSaidByAnEarlierBallotIsNotSaidAgain() {
    says(FIRST, new LogMessage.Accept(BALLOT, 6, List.of(), 5, true), 100);
    says(SECOND, new LogMessage.Accepted(BALLOT.next(2), 6), 101);
    assertThat(signs.again(101, 150))
        .containsExactly(
            new Effect.Send(SECOND, of(7, new LogMessage.Accepted(BALLOT.next(2), 6))));
  }

  @Test
  void whoIsAboutToLeadSaysSoOnlyOnceItDoes() {
    says(FIRST, new LogMessage.Prepare(BALLOT), 100);
    says(SECOND, new LogMessage.Prepare(BALLOT), 100);
    assertThat(signs.again(101, 150)).isEmpty();
    LogMessage sync = new LogMessage.Sync(BALLOT, 2, false, 5, 5, List.of());
    says(SECOND, sync, 101);
    assertThat(signs.again(101, 150))
        .containsExactly(
            new Effect.Send(FIRST, of(7, new LogMessage.Prepare(BALLOT))),
            new Effect.Send(SECOND, of(7, sync)));
  }

  @Test
  void whatMayNeverEndIsNoSignOfLife() {
    says(FIRST, ACCEPTED, 100);
    assertThat(signs.again(100, 100 + SignsOfLife.BUSY_MAX_NANOS)).hasSize(1);
    assertThat(signs.again(100, 101 + SignsOfLife.BUSY_MAX_NANOS)).isEmpty();
  }

  @Test
  void whatAsksForSomethingIsNotSaidAgain() {
    says(FIRST, new LogMessage.Fetch(BALLOT, 3), 100);
    says(FIRST, new LogMessage.LeaseRequest(BALLOT, 100), 100);
    says(FIRST, new LogMessage.Lease(BALLOT, 100), 100);
    assertThat(signs.again(100, 150)).isEmpty();
  }
}
