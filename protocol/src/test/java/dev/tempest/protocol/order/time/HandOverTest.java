package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Event;
import org.junit.jupiter.api.Test;

/** A process that leaves, and whether another one has what it executed. */
final class HandOverTest {
  private final Nodes nodes = new Nodes();
  private final Nodes.Node one = nodes.start(1);
  private final Nodes.Node two = nodes.start(2);

  @Test
  void whatSettledWhileItWasAloneGoesToWhoHasJustJoined() {
    writeUnheard();
    leave();
    nodes.pass(3_000);
    assertGoesToTwo();
  }

  @Test
  void whatSettledBeforeItLeavesGoesToWhoHasJustJoined() {
    writeUnheard();
    nodes.pass(3_000);
    leave();
    assertGoesToTwo();
  }

  @Test
  void whatOthersHaveIsHandedOverAlready() {
    nodes.together(1, 2);
    one.put("a", "x");
    nodes.pass(5_000);
    nodes.cutOff(2);
    nodes.pass(1_000);
    leave();
    assertThat(one.replica.isHandedOver()).isTrue();
  }

  @Test
  void nothingIsHandedOverAtOnce() {
    nodes.together(1, 2);
    leave();
    assertThat(one.replica.isHandedOver()).isTrue();
  }

  /** What the other one, which has taken the state before, does not hear of. */
  private void writeUnheard() {
    one.told(1);
    two.told(1, 2);
    nodes.pass(100);
    nodes.cutOff(2);
    one.put("a", "x");
  }

  private void assertGoesToTwo() {
    assertThat(one.replica.status("").unsettled()).isZero();
    one.told(1, 2);
    assertThat(one.replica.isHandedOver()).isFalse();
    nodes.mend();
    nodes.pass(5_000);
    assertThat(one.replica.isHandedOver()).isTrue();
    assertThat(two.get("a")).isEqualTo("x");
  }

  private void leave() {
    one.replica.step(new Event.Leaving(nodes.nowNanos));
  }
}
