package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.time.ReplicaSettings.Memory;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes that wait until others have what they wrote. */
final class AcksTest {
  static final Memory BRIEF =
      new Memory(5_000, 5_000, 1 << 20, Memory.USUAL.epochs(), 256, 256, 1_024, 2_048);

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

  /** What has settled everywhere is there, even where nobody knows any more who wrote it. */
  @Test
  void areNotNeededOfWhoHasSettledTheWriteAndForgottenItsWriter() {
    Nodes forgetful = new Nodes();
    Nodes.Node writer = forgetful.start(1, BRIEF);
    Nodes.Node other = forgetful.start(2, BRIEF);
    forgetful.together(1, 2);
    forgetful.pass(500);
    forgetful.loses = Message.Ack.class::isInstance;
    writer.put("a", "x");
    RequestId write = writer.replica.unsettled().getFirst().id();
    writer.awaitAcks(1, 2);
    forgetful.pass(20_000);
    assertThat(other.get("a")).isEqualTo("x");
    assertThat(other.replica.hasExecuted(write)).isFalse();
    forgetful.loses = message -> false;
    forgetful.pass(1_000);
    assertThat(forgetful.acked).containsExactly("1: 2");
  }

  /** To agree on a state that lacks a write is not to have the write. */
  @Test
  void areNeededOnceTheStateOfAnotherHasTakenThePlaceOfWhatHadSettled() {
    Nodes apart = new Nodes();
    Nodes.Node writer = apart.start(1, BRIEF);
    Nodes.Node other = apart.start(2, BRIEF);
    apart.together(1, 2);
    apart.pass(3_000);
    apart.together(1);
    apart.together(2);
    writer.put("a", "x");
    writer.awaitAcks(1, 2);
    other.put("b", "y");
    other.put("c", "z");
    apart.pass(80_000);
    apart.loses = Message.Repair.class::isInstance;
    apart.together(1, 2);
    apart.pass(2_000);
    assertThat(writer.get("b")).isEqualTo("y");
    assertThat(other.get("a")).isEqualTo("null");
    assertThat(apart.acked).isEmpty();
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
