package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clocks that are far off, and what carries their stamps, stop nobody. */
final class FarClocksTest {
  private static final long DAY_MILLIS = 24 * 3_600_000L;

  private static final long MINUTE_MILLIS = 60_000;

  private final Nodes nodes = new Nodes();

  @Test
  void repairsWithStampsFarAheadHoldNobodyUp() {
    var one = nodes.start(1);
    var two = nodes.start(2);
    nodes.together(1, 2);
    nodes.pass(500);
    one.put("a", "x");
    nodes.pass(200);
    Change change = (Change) one.replica.unsettled().getFirst().body();
    long yearAhead = Stamp.atMillis(nodes.nowNanos / Nodes.MILLI + 365 * DAY_MILLIS);
    for (long stamp : List.of(yearAhead, Long.MAX_VALUE)) {
      Entry entry = new Entry(new RequestId(7, 1 + stamp % 2), stamp, change);
      one.replica.step(
          new Event.Received(
              nodes.nowNanos, new Nodes.Place(2), new Message.Repair(42, 2, List.of(entry))));
      one.replica.checkInvariants();
    }
    one.put("a", "y");
    two.put("b", "z");
    nodes.pass(3_000);
    assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    assertThat(nodes.inStep()).isTrue();
    assertThat(one.get("b")).isEqualTo("z");
    assertThat(two.get("a")).isEqualTo("y");
  }

  @Test
  void whoeverJoinsTakesTheTimeOfThoseWhoAreThere() {
    for (long off : List.of(DAY_MILLIS, 365 * DAY_MILLIS, -MINUTE_MILLIS, -DAY_MILLIS)) {
      Nodes some = new Nodes();
      var one = some.start(1);
      var two = some.start(2);
      some.together(1, 2);
      some.pass(500);
      one.put("a", "x");
      some.pass(2_000);
      var three = some.startAhead(3, off);
      some.together(1, 2, 3);
      some.pass(500);
      three.put("b", "y");
      one.write(node -> node.map.put("soon", "gone", Duration.ofSeconds(5)));
      three.write(node -> node.map.put("later", "gone", Duration.ofSeconds(5)));
      some.pass(4_000);
      for (var node : List.of(one, two, three)) {
        assertThat(List.of(node.get("b"), node.get("soon"), node.get("later")))
            .as("by %d ms off", off)
            .containsExactly("y", "gone", "gone");
      }
      some.crash(3);
      one.told(1, 2);
      two.told(1, 2);
      some.pass(2_000);
      assertThat(List.of(one.get("soon"), two.get("later"))).containsOnly("null");
      for (int i = 0; i < 100; i++) {
        one.put("key" + i, "z");
        some.pass(10);
      }
      some.pass(62_000);
      assertThat(some.all(replica -> replica.unsettled().isEmpty())).isTrue();
    }
  }

  /** Somebody sets the clock of a running process a day ahead. */
  @Test
  void aClockThatLeapsEndsNoTimeToLive() {
    for (int replicas : List.of(2, 3)) {
      Nodes some = new Nodes();
      List<Nodes.Node> all = some.startTogether(replicas);
      some.pass(500);
      Nodes.Node leaping = all.getFirst();
      all.get(1).write(node -> node.map.put("for an hour", "here", Duration.ofHours(1)));
      some.pass(2_000);
      leaping.aheadMillis = DAY_MILLIS;
      some.pass(10);
      assertThat(leaping.replica.isAhead()).isTrue(); // Writers wait.
      some.pass(3_000); // Two have said what time it is, or one of them twice.
      assertThat(leaping.replica.isAhead()).isFalse();
      leaping.put("by it", "here");
      all.get(1).put("by another", "here");
      some.pass(3_000);
      for (Nodes.Node each : all) {
        assertThat(List.of(each.get("for an hour"), each.get("by it"), each.get("by another")))
            .as("node %d of %d", each.id, replicas)
            .containsOnly("here");
      }
      assertThat(some.all(replica -> replica.unsettled().isEmpty())).isTrue();
      assertThat(some.inStep()).isTrue();
    }
  }

  /** All were suspended, several times; some notice it later than others. */
  @Test
  void whoWasSuspendedTogetherGoesOnWithTheTime() {
    for (int replicas : List.of(2, 3, 5)) {
      for (int apartMillis : List.of(0, 500)) {
        Nodes some = new Nodes();
        List<Nodes.Node> all = some.startTogether(replicas);
        some.pass(500);
        all.getFirst().put("a", "x");
        for (int times = 0; times < 3; times++) {
          some.pass(3_000);
          all.forEach(each -> some.sleep(each.id));
          for (Nodes.Node each : all) {
            each.aheadMillis += DAY_MILLIS;
            some.wake(each.id);
            some.pass(apartMillis);
          }
        }
        some.pass(10_000);
        assertThat(all)
            .as("%d replicas, %d ms apart", replicas, apartMillis)
            .allMatch(each -> each.behindMillis() == 0)
            .noneMatch(each -> each.replica.isAhead());
        assertThat(some.all(replica -> replica.unsettled().isEmpty())).isTrue();
      }
    }
  }

  /** Each time the clocks of most have leapt, and the one that knows better is not heard. */
  @Test
  void whoWasStoppedTwiceIsWhereItWouldBeWithoutThat() {
    List<Nodes.Node> all = nodes.startTogether(3);
    nodes.pass(3_000);
    nodes.cutOff(3);
    for (int times = 0; times < 2; times++) {
      nodes.sleep(1);
      nodes.sleep(2);
      nodes.pass(MINUTE_MILLIS);
      nodes.wake(1);
      nodes.wake(2);
      nodes.pass(1_000);
    }
    nodes.mend();
    nodes.pass(10_000);
    assertThat(all)
        .allMatch(each -> each.behindMillis() == 0)
        .noneMatch(each -> each.replica.isFull());
  }

  private void twoThatHave(String key, String value) {
    var one = nodes.start(1);
    nodes.start(2);
    nodes.together(1, 2);
    nodes.pass(500);
    one.put(key, value);
    nodes.pass(3_000);
  }

  /** It would take the time of before, and write into what has settled long ago. */
  @Test
  void whoeverJoinsTakesNoTimeFromOneThatDoesNotKnowIt() {
    twoThatHave("a", "x");
    nodes.cutOff(1);
    nodes.sleep(1);
    nodes.pass(MINUTE_MILLIS);
    nodes.wake(1);
    nodes.crash(2);
    var three = nodes.startAhead(3, DAY_MILLIS);
    nodes.together(1, 3);
    for (int i = 0; i < 1_000 && !three.replica.isActive(); i++) {
      nodes.pass(10);
    }
    assertThat(three.get("a")).isEqualTo("x");
    assertThat(three.behindMillis()).isBetween(DAY_MILLIS - 1_100, DAY_MILLIS + 1_100);
  }

  @Test
  void aClockThatLeapsWhileItsReplicaJoinsIsNotFollowed() {
    twoThatHave("a", "x");
    var three = nodes.start(3);
    nodes.loses = message -> message instanceof Message.StateOffer;
    nodes.together(1, 2, 3);
    nodes.pass(300);
    three.aheadMillis = DAY_MILLIS;
    nodes.pass(6_000);
    nodes.loses = message -> false;
    nodes.pass(3_000);
    assertThat(three.replica.isActive()).isTrue();
    assertThat(three.behindMillis()).isBetween(DAY_MILLIS - 1_000, DAY_MILLIS + 1_000);
    assertThat(three.replica.isFull()).isFalse();
  }

  /** It began alone, and has closed epochs that are far away for the others. */
  @Test
  void whoeverIsFarAheadGivesWhatItHasAndTakesNothing() {
    var one = nodes.start(1);
    var two = nodes.start(2);
    var three = nodes.startAhead(3, DAY_MILLIS);
    nodes.together(1, 2);
    nodes.together(3);
    one.put("a", "x");
    three.put("b", "y");
    nodes.pass(3_000);
    nodes.together(1, 2, 3);
    nodes.pass(1_000);
    assertThat(three.replica.isFull()).isTrue();
    assertThat(refusalOf(three)).isEqualTo(Answer.Reason.JOINING);
    assertThat(one.replica.isFull() || two.replica.isFull()).isFalse();
    one.put("c", "z");
    nodes.pass(3_000);
    for (var node : List.of(one, two)) {
      assertThat(List.of(node.get("a"), node.get("b"), node.get("c")))
          .containsExactly("x", "y", "z");
      assertThat(node.replica.nowMillis()).isLessThan(nodes.nowNanos / Nodes.MILLI + 1_000);
      assertThat(node.replica.unsettled()).isEmpty();
    }
    nodes.crash(1);
    nodes.crash(2);
    three.told(3);
    assertThat(three.replica.isFull()).isFalse(); // Nobody is left who is behind.
  }

  @Test
  void whoeverDoesNotKnowTheTimeTakesNoRequests() {
    var one = nodes.start(1);
    nodes.start(2);
    nodes.together(1, 2);
    nodes.pass(500);
    one.aheadMillis = DAY_MILLIS;
    nodes.pass(10);
    assertThat(refusalOf(one)).isEqualTo(Answer.Reason.JOINING);
  }

  private static Answer.Reason refusalOf(Nodes.Node node) {
    Call call = new Call(1, Bytes.EMPTY);
    Entry entry = new Entry(new RequestId(7, 1), Stamp.atMillis(node.replica.nowMillis()), call);
    Message.Update update = Cluster.updateOf(entry, 0, 3, 1);
    return node
        .replica
        .step(new Event.Received(node.clockNanos(), new Nodes.Place(7), update))
        .stream()
        .map(effect -> ((Message.Reply) ((Effect.Send) effect).message()).answer())
        .map(answer -> ((Answer.Refused) answer).reason())
        .findFirst()
        .orElseThrow();
  }

  /** The monotonic clock of its process stood still, and goes on where it was. */
  @Test
  void whoeverWasSuspendedCatchesUpAtOnce() {
    var one = nodes.start(1);
    var two = nodes.start(2);
    var three = nodes.start(3);
    nodes.together(1, 2, 3);
    nodes.pass(500);
    one.put("a", "x");
    nodes.pass(500);
    two.aheadMillis = -MINUTE_MILLIS;
    nodes.nowNanos += MINUTE_MILLIS * Nodes.MILLI;
    nodes.pass(500);
    two.put("b", "y");
    three.put("c", "z");
    nodes.pass(2_500);
    assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    assertThat(nodes.inStep()).isTrue();
    assertThat(List.of(one.get("b"), two.get("c"))).containsExactly("y", "z");

    two.aheadMillis = 0; // It is set right.
    nodes.pass(500);
    two.put("d", "right");
    nodes.pass(2_500);
    assertThat(one.get("d")).isEqualTo("right");
    assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
  }
}
