package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.MissingAcksException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Effect;
import dev.tempest.runtime.node.WaitingWrites.Wait;
import dev.tempest.runtime.transport.MonotonicClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What threads are told that wait for others to have what they wrote. */
class WaitingWritesTest {
  private final WaitingWrites writes =
      new WaitingWrites(
          NodeConfig.builder().build(), MonotonicClock.ofProcess(), event -> List.of());

  @Test
  void whatIsGivenUpIsSaidToBe() {
    Wait wait = writes.begin(2);
    writes.acked(new Effect.Acked(wait.ticket(), 0));
    assertThatExceptionOfType(MissingAcksException.class)
        .isThrownBy(() -> writes.await(wait))
        .withMessageContaining("it is given up")
        .extracting(MissingAcksException::acks)
        .isEqualTo(0);
  }
}
