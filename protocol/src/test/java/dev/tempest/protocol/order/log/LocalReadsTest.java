package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.RequestId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads that every member answers from its memory. */
final class LocalReadsTest {
  private static final long ANN = 1;

  private final HoldingsByHand grid = HoldingsByHand.reading(Reads.LOCAL);

  LocalReadsTest() {
    grid.update(ANN, "add", "jobs", 1L);
    grid.group.run(100);
    grid.group.takeSent();
  }

  @Test
  void eachMemberAnswersWithoutAMessage() {
    List<RequestId> reads =
        grid.group.living().stream().map(each -> grid.ask(each, "jobs", null)).toList();
    assertThat(grid.group.takeSent()).isEmpty();
    grid.group.run(1);
    assertThat(reads).allMatch(read -> grid.answers(read).equals(List.of(1L)));
  }

  @Test
  void aReadWaitsForWhatIsAcceptedAndMayBeCommitted() {
    long follower = grid.followers().getFirst();
    grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
    grid.group.run(2);
    RequestId read = grid.ask(follower, "jobs", null);
    grid.group.run(1);
    assertThat(grid.answers(read)).isEmpty();
    grid.group.run(3); // Its leader says at once that it is committed.
    assertThat(grid.answers(read)).containsExactly(2L);
  }

  @Test
  void anUpdateWaitsForAMemberThatIsSilentAndReadsAlone() {
    long silent = grid.followers().getFirst();
    grid.group.part(List.of(silent));
    RequestId update = grid.send(ANN, grid.group.living(), "add", "jobs", 1L);
    for (int millis = 0; millis < 200; millis++) {
      grid.group.run(1);
      if (!grid.answers(update).isEmpty()) {
        assertThat(grid.answers(grid.ask(silent, "jobs", null))).isEmpty();
      }
    }
    assertThat(grid.answers(update)).contains(2L);
    grid.group.heal();
    assertThat(grid.read(silent, "jobs")).isEqualTo(2);
  }

  @Test
  void whoHoldsNoLeaseAsksAMajority() {
    long follower = grid.followers().getFirst();
    grid.group.lose(HoldingsByHand.are(LogMessage.ReadLease.class::isInstance));
    grid.group.run(100);
    grid.group.takeSent();
    RequestId read = grid.ask(follower, "jobs", null);
    assertThat(grid.group.takeSent())
        .anyMatch(each ->
            HoldingsByHand.are(LogMessage.LengthRequest.class::isInstance).test(each.message()));
    grid.group.run(5);
    assertThat(grid.answers(read)).containsExactly(1L);
  }
}
