package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OtherPolicyTest {
  private static final Order.ByConsensus WITH_PRIMARY =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.LEADER,
          Order.ByConsensus.Reads.LINEARIZABLE,
          Order.ByConsensus.Log.MEMORY,
          Quorum.ALL);

  /** They would wait for each other for ever: with a primary nobody founds anything like that. */
  @Test
  void whoFoundsAGroupWithoutAPrimaryIsNoticedByOneThatHasOne() {
    Event founding = received(new LogMessage.Found(1, List.of(1L, 2L, 3L)));
    assertThat(new OtherPolicy("bank", WITH_PRIMARY).hear(founding))
        .startsWith("consistency: linearizable at ");
    assertThat(new OtherPolicy("bank", Order.LINEARIZABLE).hear(founding)).isNull();
  }

  private static Event received(LogMessage said) {
    var from = new PeerAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_400));
    return new Event.Received(1_000_000_000_000L, from, new Message.OfLog(7, 2, said));
  }
}
