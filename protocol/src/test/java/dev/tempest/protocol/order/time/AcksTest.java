package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes that wait until others have what they wrote. */
final class AcksTest {
  private final Nodes nodes = new Nodes();
  private final Nodes.Node one = nodes.start(1);
  private final Nodes.Node two = nodes.start(2);
  private final Nodes.Node three = nodes.start(3);

  @BeforeEach
  void meet() {
    nodes.together(1, 2, 3);
    nodes.pass(500);
    nodes.sent();
  }

  @Test
  void comeRightBehindTheWrite() {
    one.put("a", "x");
    one.awaitAcks(7, 3);
    assertThat(one.replica.nextTickNanos()).isLessThanOrEqualTo(nodes.nowNanos);
    nodes.pass(10);
    assertThat(nodes.acked).containsExactly("7: 3");
    assertThat(nodes.sent()).filteredOn(Message.Repair.class::isInstance).hasSize(2);
  }

  @Test
  void countThoseOnlyThatHaveTheWrite() {
    nodes.cutOff(3);
    one.put("a", "x");
    one.awaitAcks(1, 2);
    two.put("b", "x");
    two.awaitAcks(2, 3);
    nodes.pass(2_000);
    assertThat(nodes.acked).containsExactly("1: 2");
    two.endWait(2);
    two.endWait(2);
    assertThat(nodes.acked).containsExactly("1: 2", "2: 2");
  }

  @Test
  void areAskedForAgainWhenTheyWereLost() {
    nodes.cutOff(3);
    one.put("a", "x");
    one.awaitAcks(1, 3);
    nodes.pass(20);
    nodes.mend();
    nodes.pass(40);
    assertThat(nodes.acked).containsExactly("1: 3");
    assertThat(three.get("a")).isEqualTo("x");
  }

  /** What comes by gossip is acknowledged, too, without another question. */
  @Test
  void comeWhenTheWriteComesFromElsewhere() {
    String large = "x".repeat(20_000);
    nodes.cutOff(3);
    one.put("a", large);
    nodes.pass(10);
    nodes.mend();
    one.awaitAcks(1, 3);
    nodes.pass(10);
    assertThat(nodes.acked).isEmpty();
    assertThat(nodes.sent()).filteredOn(Message.AckRequest.class::isInstance).hasSize(2);
    nodes.pass(1_000);
    assertThat(nodes.acked).containsExactly("1: 3");
    assertThat(three.get("a")).isEqualTo(large);
  }

  @Test
  void ofWhoHasLeftCountNoMoreAndWhoComesIsAsked() {
    nodes.cutOff(3);
    one.put("a", "x");
    one.awaitAcks(1, 3);
    nodes.pass(10);
    nodes.crash(2);
    nodes.mend();
    one.told(1, 3);
    three.told(1, 3);
    nodes.pass(500);
    assertThat(nodes.acked).isEmpty();
    nodes.start(4);
    nodes.together(1, 3, 4);
    nodes.pass(500);
    assertThat(nodes.acked).containsExactly("1: 3");
  }

  @Test
  void oneByOneEndTheWaitsOfManyWrites() {
    for (int i = 1; i <= 2_000; i++) {
      one.add(1);
      one.awaitAcks(i, 3);
    }
    nodes.pass(200);
    assertThat(nodes.acked).hasSize(2_000).contains("1: 3", "2000: 3");
    assertThat(nodes.inStep()).isTrue();
  }
}
