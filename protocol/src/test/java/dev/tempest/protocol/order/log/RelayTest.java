package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

final class RelayTest {
  private static final long OTHER_SERVICE = ReplicasByHand.SERVICE + 1;

  private final HoldingsByHand grid = HoldingsByHand.withPrimary();
  private final long spare =
      grid.followers().stream()
          .filter(each -> !grid.group.isActive(each))
          .findFirst()
          .orElseThrow();

  /** A front-end counts what it asks for each service: one id may stand for two requests. */
  @Test
  void theAnswerOfAnotherServiceIsNone() {
    RequestId read = grid.ask(spare, "jobs", null);
    grid.group.hears(
        spare,
        new Reply(
            OTHER_SERVICE, read, false, 1, OrderPart.NONE, 0, new Answer.Returned(Bytes.EMPTY)));
    grid.group.run(HoldingsByHand.LONG);
    assertThat(grid.answers(read)).containsExactly(0L);
  }
}
