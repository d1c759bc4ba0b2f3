package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.time.ReplicaSettings.Memory;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Past;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who was away for longer than the others remember. */
final class AbsenceTest {
  private static final Memory SHORT =
      new Memory(5_000, 5_000, 1 << 20, Memory.USUAL.epochs(), 256, 256, 1_024, 2_048);

  private static final Memory FEW_EPOCHS =
      new Memory(600_000, 3_600_000, 32 << 20, 5, 256, 256, 1_024, 2_048);

  private final Nodes nodes = new Nodes();

  /** More epochs have entries than are remembered. */
  private void putOften(Nodes.Node node) {
    for (int i = 0; i < 30; i++) {
      node.put("key", "value " + i);
      nodes.pass(100);
    }
  }

  /** It has an entry that the others have settled, and of whose writer they have forgotten. */
  @Test
  void whatASleeperHadIsNotExecutedTwice() {
    Nodes.Node writer = nodes.start(1, SHORT);
    Nodes.Node two = nodes.start(2, SHORT);
    Nodes.Node sleeper = nodes.start(3, SHORT);
    nodes.together(1, 2, 3);
    nodes.pass(3_000);
    writer.add(5);
    nodes.pass(100);
    assertThat(sleeper.count()).isEqualTo("5");
    nodes.cutOff(3);
    nodes.sleep(3);
    nodes.together(1, 2);
    nodes.pass(62_000);
    nodes.crash(1);
    nodes.together(2);
    for (int i = 0; i < 90; i++) {
      two.put("key", "value " + i);
      nodes.pass(1_000);
    }
    assertThat(two.replica.settled().count()).isGreaterThan(80);
    nodes.wake(3);
    nodes.together(2, 3);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(two.count()).isEqualTo("5");
  }

  /** Others may have executed it and forgotten that: nobody will ever say that it has it. */
  @Test
  void whoeverWaitsForWhatIsGivenUpHearsOfIt() {
    Nodes.Node two = nodes.start(1, SHORT);
    Nodes.Node sleeper = nodes.start(2, SHORT);
    nodes.together(1, 2);
    nodes.pass(3_000);
    nodes.cutOff(2);
    sleeper.add(5);
    sleeper.awaitAcks(7, 2);
    nodes.sleep(2);
    nodes.together(1);
    nodes.pass(62_000);
    putOften(two);
    nodes.pass(20_000);
    assertThat(nodes.acked).isEmpty();
    nodes.mend();
    nodes.wake(2);
    nodes.together(1, 2);
    nodes.pass(5_000);
    assertThat(sleeper.count()).isEqualTo("0");
    assertThat(nodes.acked).containsExactly("7: 0");
  }

  /** It settles alone that there was nothing new, for longer than the other one remembers. */
  @Test
  void whoWroteNothingMeanwhileIsBehind() {
    Nodes.Node one = nodes.start(1, FEW_EPOCHS);
    Nodes.Node two = nodes.start(2, FEW_EPOCHS);
    nodes.together(1, 2);
    one.put("removed", "by two");
    nodes.pass(3_000);
    nodes.together(1);
    nodes.together(2);
    two.write(node -> node.map.remove("removed"));
    nodes.pass(62_000);
    putOften(two);
    nodes.pass(3_000);
    nodes.together(1, 2);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(one.get("removed")).isEqualTo("null");
    assertThat(two.get("removed")).isEqualTo("null");
  }

  /** Alone it settles sooner that there was nothing than two who wait for each other. */
  @Test
  void whoIsAloneIsBehindThoughItHasSettledThroughLater() {
    Nodes.Node one = nodes.start(1, FEW_EPOCHS);
    Nodes.Node two = nodes.start(2, FEW_EPOCHS);
    Nodes.Node alone = nodes.start(3, FEW_EPOCHS);
    nodes.together(1, 2, 3);
    one.put("removed", "by two");
    nodes.pass(5_000);
    nodes.together(3);
    nodes.together(1, 2);
    two.write(node -> node.map.remove("removed"));
    nodes.pass(62_000);
    putOften(two);
    assertThat(alone.replica.settled().throughEpoch())
        .isGreaterThan(two.replica.settled().throughEpoch());
    nodes.together(1, 2, 3);
    nodes.pass(8_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(two.get("removed")).isEqualTo("null");
    assertThat(alone.get("removed")).isEqualTo("null");
  }

  /** The first one that it meets never heard from it, and cannot tell; another one can. */
  @Test
  void whoCannotKnowWhetherItIsBehindAsksTheOthers() {
    Nodes.Node one = nodes.start(1, FEW_EPOCHS);
    Nodes.Node two = nodes.start(2, FEW_EPOCHS);
    Nodes.Node sleeper = nodes.start(3, FEW_EPOCHS);
    nodes.together(1, 2, 3);
    nodes.cutBetween(1, 3);
    two.put("removed", "by two");
    nodes.pass(5_000);
    assertThat(nodes.all(replica -> replica.settled().count() == 1)).isTrue();
    nodes.cutOff(3);
    nodes.sleep(3);
    nodes.together(1, 2);
    nodes.pass(62_000);
    two.write(node -> node.map.remove("removed"));
    putOften(two);
    nodes.pass(3_000);
    nodes.mend();
    nodes.wake(3);
    nodes.together(1, 2, 3);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(one.get("removed")).isEqualTo("null");
    assertThat(sleeper.get("removed")).isEqualTo("null");
  }

  /** Its checkpoint is from when its name did not stand for this state yet; nobody else is left. */
  @Test
  void whoHadJustTakenItsStateIsBehind() {
    Nodes.Node one = nodes.start(1, FEW_EPOCHS);
    Nodes.Node three = nodes.start(3, FEW_EPOCHS);
    nodes.together(1, 3);
    nodes.pass(1_000);
    nodes.together(1);
    nodes.together(3);
    one.put("removed", "by two");
    nodes.pass(65_000);
    one.told(1, 9); // So it settles nothing, and three, which is alone, closes more epochs.
    nodes.pass(2_000);
    nodes.together(1, 3);
    while (!three.get("removed").equals("by two")) {
      nodes.pass(10);
    }
    List<Bytes> checkpoint = three.checkpoint();
    nodes.pass(5_000);
    Nodes.Node two = nodes.start(2, FEW_EPOCHS);
    nodes.together(1, 2, 3);
    nodes.pass(5_000);
    nodes.crash(1);
    nodes.together(2, 3);
    nodes.pass(62_000);
    two.write(node -> node.map.remove("removed"));
    putOften(two);
    nodes.pass(3_000);
    nodes.crash(3);
    nodes.together(2);
    Nodes.Node back = nodes.start(4, FEW_EPOCHS, checkpoint);
    nodes.together(2, 4);
    nodes.pass(10_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(two.get("removed")).isEqualTo("null");
    assertThat(back.get("removed")).isEqualTo("null");
  }

  /** What it was told then says nothing of now, though it took no state since. */
  @Test
  void whoCouldNotKnowLongAgoAsksTheOthersAgain() {
    Nodes.Node one = nodes.start(1, FEW_EPOCHS);
    one.put("key", "value");
    nodes.pass(5_000);
    one.told(1, 8, 9);
    long ours = one.replica.settled().throughEpoch();
    List<Prefix> theirs =
        LongStream.range(0, FEW_EPOCHS.epochs())
            .mapToObj(later -> new Prefix(ours + 1_000 + later, 100 + later, later))
            .toList();
    Past past = new Past(theirs, List.of());
    StateOffer offer = new StateOffer(Nodes.SERVICE, 8, theirs.getLast(), past, Kept.NONE);
    for (int time = 0; time < 2; time++) {
      nodes.sent();
      one.hears(8, offer);
      assertThat(nodes.sent()).hasOnlyElementsOfType(StateRequest.class);
      nodes.pass(4_100);
    }
  }

  /** It comes from one that did not know that it had settled, with a stamp of now. */
  @Test
  void whatIsPutInAgainIsNotExecutedByWhoMayHaveForgottenIt() {
    Window window =
        new Window(ServiceInstance.of(Ledger.class, LedgerService::new), 100, SHORT, epoch -> {});
    Entry first = entry(1, 100_000);
    window.insert(List.of(first));
    window.settle(1_001);
    for (int second = 101; second < 120; second++) {
      window.insert(List.of(entry(second, second * 1_000L)));
      window.settle(second * 10L);
    }
    assertThat(window.contains(first.id())).isFalse();
    window.insert(List.of(first.again(125_000L << 16, first.body()), entry(200, 125_000)));
    assertThat(window.entries()).containsExactly(entry(200, 125_000));
  }

  private static Entry entry(long client, long millis) {
    return new Entry(new RequestId(client, 1), millis << 16, new Change(Bytes.EMPTY));
  }

  /** Nothing says whether one had the other's state: its history does not reach as far back. */
  @Test
  void whatWasWrittenApartStaysThoughNobodyRemembersThatItWasApart() {
    Memory few = new Memory(5_000, 5_000, 1 << 20, 5, 256, 256, 1_024, 2_048);
    Nodes.Node one = nodes.start(1, few);
    Nodes.Node two = nodes.start(2, few);
    nodes.together(1, 2);
    one.put("of both", "before");
    nodes.pass(3_000);
    nodes.together(1);
    nodes.together(2);
    one.put("of one", "apart");
    nodes.pass(62_000);
    assertThat(one.replica.unsettled()).isEmpty();
    nodes.sleep(1);
    for (int i = 0; i < 20; i++) {
      two.put("of two", "value " + i);
      nodes.pass(200);
    }
    nodes.pass(3_000);
    assertThat(two.replica.unsettled()).isEmpty();
    nodes.wake(1);
    nodes.together(1, 2);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(two.get("of one")).isEqualTo("apart");
    assertThat(one.get("of two")).isEqualTo("value 19");
  }

  /** The third had agreed to what the second settles; then it took the state of the first. */
  @Test
  void whoHasGoneOverBringsWhatItTookThoughTheOtherKnowsItByItsName() {
    Nodes.Node one = nodes.start(1, FEW_EPOCHS);
    Nodes.Node two = nodes.start(2, FEW_EPOCHS);
    Nodes.Node three = nodes.start(3, FEW_EPOCHS);
    nodes.together(1, 2, 3);
    nodes.pass(3_000);
    nodes.together(1);
    nodes.together(2, 3);
    nodes.pass(62_000);
    one.put("of one", "apart");
    nodes.loses = message -> message instanceof Digest digest && digest.replica() == 2;
    for (int i = 0; i < 20; i++) {
      two.put("of two", "value " + i);
      nodes.pass(200);
    }
    nodes.pass(3_000);
    nodes.loses = message -> false;
    assertThat(two.replica.unsettled()).isEmpty();
    assertThat(three.replica.unsettled()).hasSize(20);
    nodes.together(1, 3);
    nodes.pass(300);
    assertThat(three.replica.taken()).isEqualTo(1);
    nodes.together(2, 3);
    nodes.pass(300);
    nodes.together(1, 2, 3);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(two.get("of one")).isEqualTo("apart");
    assertThat(one.get("of two")).isEqualTo("value 19");
  }

  /** It meets one that joined since, and which has forgotten the epochs of its absence. */
  @Test
  void whatWasRemovedWhileASleeperWasAwayDoesNotComeBack() {
    Nodes.Node one = nodes.start(1);
    nodes.start(2);
    Nodes.Node sleeper = nodes.start(3);
    nodes.together(1, 2, 3);
    one.put("removed", "by nobody");
    nodes.pass(5_000);
    assertThat(sleeper.replica.settled().count()).isEqualTo(1);
    nodes.cutOff(3);
    nodes.sleep(3);
    nodes.together(1, 2);
    nodes.pass(62_000);
    one.write(node -> node.map.remove("removed"));
    for (int epoch = 0; epoch < Memory.USUAL.epochs() + 100; epoch++) {
      one.put("key", "value " + epoch);
      nodes.pass(100);
    }
    nodes.pass(3_000);
    Nodes.Node four = nodes.start(4);
    nodes.together(1, 2, 4);
    nodes.pass(3_000);
    assertThat(four.replica.isActive()).isTrue();
    nodes.crash(1);
    nodes.crash(2);
    nodes.wake(3);
    nodes.together(3, 4);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    assertThat(four.get("removed")).isEqualTo("null");
  }
}
