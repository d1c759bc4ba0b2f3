package dev.tempest.protocol.order.log;

import static dev.tempest.protocol.order.log.HoldingsByHand.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Piece;
import dev.tempest.wire.RequestId;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The claims of section 4.2 of the paper on the replicated servlet container about the transfer of
 * a state, in our words: of 2 MB, in pieces of 64 KiB.
 */
final class BartoliPaperTransferTest {
  private static final long ANN = 101;
  private static final int TEXTS = 40;
  private static final int TEXT = 50_000;
  private static final int LOG = 300_000;

  private final HoldingsByHand large = new HoldingsByHand(3, Order.LINEARIZABLE, LOG);
  private long pieces;
  private long bytes;

  private void write() {
    for (int i = 0; i < TEXTS; i++) {
      large.update(ANN, "note", "text" + i, "x".repeat(TEXT - 10) + i);
    }
  }

  /** What was taken of versions since it was asked last. */
  private void count() {
    for (ReplicasByHand.Sent sent : large.group.takeSent()) {
      if (sent.message() instanceof OfLog said
          && said.said() instanceof LogMessage.StatePart(var point, Piece.OfVersion(var piece))) {
        pieces++;
        bytes += piece.size();
      }
    }
  }

  @Test
  @DisplayName("4.2: the service goes on while a state is taken")
  void theServiceGoesOnMeanwhile() {
    write();
    large.group.takeSent();
    large.group.replace(large.followers().getFirst(), 4);
    long answered = 0;
    for (int i = 0; i < LONG && !large.group.isActive(4); i++) {
      RequestId request = large.send(ANN, large.group.living(), "add", "tea", 1L);
      large.group.run(4);
      answered += large.answers(request).size();
    }
    count();
    assertThat(pieces).isGreaterThan(10);
    assertThat(answered).isGreaterThan(10);
    assertThat(large.counts()).hasSize(1);
  }

  @Test
  @DisplayName("4.2: who was away for a short time takes what it lacks, and no state")
  void whoWasAwayShortlyTakesNoState() {
    write();
    large.group.run(100);
    large.group.takeSent();
    long away = large.followers().getFirst();
    large.group.kill(away);
    large.update(ANN, "add", "tea", 1L);
    large.group.wake(away);
    large.group.run(LONG);
    count();
    assertThat(pieces).isZero();
    assertThat(large.counts(away)).isEqualTo(Map.of("tea", 1L));
  }

  @Test
  @DisplayName("4.2: it is negotiated: of a state only what differs travels")
  void onlyWhatDiffersTravels() {
    write();
    large.group.run(100);
    long away = large.followers().getFirst();
    large.group.kill(away);
    for (int i = 0; i < 30; i++) {
      large.update(ANN, "note", "text7", "y".repeat(TEXT) + i);
    }
    large.update(ANN, "add", "tea", 1L);
    large.group.takeSent();
    large.group.wake(away);
    large.group.run(LONG);
    count();
    assertThat(large.counts(away)).isEqualTo(Map.of("tea", 1L));
    assertThat(bytes).isBetween((long) TEXT, 5L * TEXT);
  }

  @Test
  @DisplayName("4.2: if the giver fails, what it has given is not given again by the next one")
  void whatOneHasGivenIsNotGivenAgain() {
    long away = large.followers().getFirst();
    large.group.kill(away);
    write();
    large.update(ANN, "add", "tea", 1L);
    large.group.takeSent();
    large.group.wake(away);
    for (int i = 0; i < LONG && pieces < 12; i++) {
      large.group.run(1);
      count();
    }
    assertThat(large.counts(away)).isEmpty();
    large.group.kill(large.leader());
    large.group.run(2 * LONG);
    count();
    assertThat(large.counts(away)).isEqualTo(Map.of("tea", 1L));
    assertThat(bytes).isLessThan((TEXTS + 2L) * TEXT);
  }
}
