package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes that write more than others take. */
final class FlowControlTest {
  private static final int MOST = ReplicaSettings.Limits.USUAL.aheadMax();

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
  void asksNobodyForTheSakeOfFewWrites() {
    for (int i = 0; i < 500; i++) {
      one.add(1);
      nodes.pass(10);
    }
    assertThat(nodes.sent()).noneMatch(Message.AckRequest.class::isInstance);
    assertThat(one.replica.isAhead()).isFalse();
  }

  @Test
  void waitsBeforeOthersLackMoreThanTheyMay() {
    write(1_000);
    nodes.pass(20);
    assertThat(writeWhileNotAhead(3 * MOST)).isEqualTo(MOST + 1);
    nodes.pass(50);
    assertThat(one.replica.isAhead()).isFalse();
    assertThat(three.count()).isEqualTo(one.count());
  }

  /** Its writes had come to some in a second while another one wrote as fast as it could. */
  @Test
  void whoWritesLittleDoesNotWaitForTheBurstOfAnother() {
    for (int i = 0; i < 20; i++) {
      writeWhileNotAhead(MOST / 4);
      two.add(1);
      assertThat(two.replica.isAhead()).isFalse();
      nodes.pass(10);
    }
    nodes.pass(500);
    assertThat(three.count()).isEqualTo(two.count()).isEqualTo(one.count());
  }

  @Test
  void waitsForOneThatSaysNothingForAboutASecond() {
    write(1_000);
    nodes.pass(20);
    nodes.cutOff(3);
    assertThat(writeWhileNotAhead(3 * MOST)).isEqualTo(MOST + 1);
    nodes.pass(900);
    assertThat(one.replica.isAhead()).isTrue();
    nodes.pass(900);
    assertThat(writeWhileNotAhead(3 * MOST)).isEqualTo(MOST + 1);
    nodes.pass(50);
    assertThat(two.count()).isEqualTo(one.count());
  }

  /** Gossip takes a second for what is sent here within one round trip after the other. */
  @Test
  void sendsWhoeverComesBackWhatItLacksAsFastAsItTakesIt() {
    nodes.cutOff(3);
    nodes.loses = Message.Digest.class::isInstance;
    write(10 * MOST);
    nodes.pass(1_500);
    nodes.mend();
    nodes.pass(700);
    assertThat(three.count()).isEqualTo(one.count());
    assertThat(one.replica.isAhead()).isFalse();
  }

  /** It is away, or takes a state that will have everything. */
  @Test
  void sendsLittleAgainToOneThatIsSilent() {
    nodes.sleep(3);
    write(2 * MOST);
    nodes.pass(1_500);
    nodes.sent();
    nodes.pass(3_000);
    assertThat(nodes.sent())
        .filteredOn(Message.Repair.class::isInstance)
        .isNotEmpty()
        .allMatch(repair -> ((Message.Repair) repair).entries().size() <= 16);
  }

  /** The writer takes half of the time in which it comes closer, at most. */
  @Test
  void goesOnWhileOneThatWasAwayComesCloser() {
    nodes.cutOff(3);
    write(10 * MOST);
    nodes.pass(1_500);
    nodes.mend();
    int written = 0;
    for (int i = 0; i < 500 && !three.count().equals(one.count()); i++) {
      written += writeWhileNotAhead(100);
      nodes.pass(10);
    }
    assertThat(three.count()).isEqualTo(one.count());
    assertThat(written).isPositive();
  }

  @Test
  void sendsAgainWhatGetsLost() {
    int[] repairs = {0};
    nodes.loses =
        message ->
            message instanceof Message.Digest
                || (message instanceof Message.Repair && ++repairs[0] % 3 == 0);
    write(MOST);
    nodes.pass(1_000);
    assertThat(two.count()).isEqualTo(one.count());
    assertThat(three.count()).isEqualTo(one.count());
  }

  @Test
  void oneLargeWriteIsNotTooMuch() {
    one.put("a", "x".repeat(1_000_000));
    nodes.pass(20);
    for (int i = 0; i < 20; i++) {
      assertThat(one.replica.isAhead()).isFalse();
      one.put("b", i + "x".repeat(1_000_000));
      nodes.pass(20);
    }
    assertThat(two.get("b")).isEqualTo(one.get("b"));
  }

  /** It has what was sent before it came from whoever gave it the state. */
  @Test
  void waitsForNothingThatWasSentBeforeSomebodyCame() {
    for (int i = 0; i < 20; i++) {
      one.put("a", i + "x".repeat(1_000_000));
      nodes.pass(20);
    }
    nodes.start(4);
    nodes.sent();
    nodes.loses = message -> message instanceof Message.Ack ack && ack.replica() == 4;
    nodes.together(1, 2, 3, 4);
    nodes.pass(500);
    Message first = nodes.sent().stream().filter(nodes.loses).findFirst().orElseThrow();
    for (int i = 0; i < 5; i++) {
      write(1_000);
      nodes.pass(50);
    }
    one.hears(4, first);
    assertThat(one.replica.isAhead()).isFalse();
  }

  /** What has settled everywhere is there, even where nobody knows any more who wrote it. */
  @Test
  void waitsForNothingThatWhoCameHasSettledAndForgotten() {
    Nodes forgetful = new Nodes();
    Nodes.Node writer = forgetful.start(1, AcksTest.BRIEF);
    Nodes.Node other = forgetful.start(2, AcksTest.BRIEF);
    forgetful.together(1, 2);
    forgetful.pass(500);
    for (int i = 0; i < MOST; i++) {
      writer.add(1);
    }
    forgetful.pass(20_000);
    other.add(1); // While this is unsettled nobody is known to have everything.
    forgetful.pass(10);
    Nodes.Node come = forgetful.start(3, AcksTest.BRIEF);
    forgetful.together(1, 2, 3);
    forgetful.pass(20_000);
    assertThat(come.count()).isEqualTo(writer.count());
    forgetful.sent();
    forgetful.pass(5_000);
    assertThat(forgetful.sent()).noneMatch(Message.AckRequest.class::isInstance);
  }

  private void write(int writes) {
    for (int i = 0; i < writes; i++) {
      one.add(1);
    }
  }

  /** How many it writes before it should wait. */
  private int writeWhileNotAhead(int most) {
    int written = 0;
    while (written < most && !one.replica.isAhead()) {
      one.add(1);
      written++;
    }
    return written;
  }
}
