package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A front-end whose updates count before what its clients knew is found. */
class ClientOrderTest {
  private static final long EARLIER = Stamp.atMillis(400);

  /** Stamps every other update as if it had been asked for earlier. */
  private static List<Requests.Effect> earlier(Requests.Effect effect) {
    return List.of(
        effect instanceof Requests.Effect.Multicast(long service, Update update)
                && update.id().sequence() % 2 == 0
            ? new Requests.Effect.Multicast(
                service,
                new Update(
                    service,
                    update.id(),
                    new OrderPart.Stamped(Stamp.of(update.part()) - EARLIER),
                    update.call(),
                    update.attempt(),
                    update.acks(),
                    update.answeredBelow()))
            : effect);
  }

  @Test
  void anUpdateThatCountsBeforeWhatItsClientKnewIsFound() {
    assertThat(CanaryTest.foundWith(ClientOrderTest::earlier)).contains(Kind.OUT_OF_ORDER);
  }
}
