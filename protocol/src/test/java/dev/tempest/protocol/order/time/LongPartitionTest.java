package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.ReplicaMessage;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two sides that have settled without each other: what adds up is exact all the same. */
final class LongPartitionTest {
  private static final int REUNION_MILLIS = 1_000;

  private final Nodes nodes = new Nodes();
  private final Nodes.Node one = nodes.start(1, REUNION_MILLIS, 1 << 30);
  private final Nodes.Node two = nodes.start(2, REUNION_MILLIS, 1 << 30);
  private final Nodes.Node three = nodes.start(3, REUNION_MILLIS, 1 << 30);
  private final List<Nodes.Node> all = List.of(one, two, three);

  @BeforeEach
  void partAfterSomeWrites() {
    nodes.together(1, 2, 3);
    nodes.pass(500);
    one.add(1_000);
    one.sum("both", 1_000);
    one.sum("removed", 1_000);
    nodes.pass(3_000);
    nodes.together(1);
    nodes.together(2, 3);
  }

  private void meetAgain() {
    nodes.pass(5_000);
    assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    nodes.together(1, 2, 3);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
  }

  @Test
  void countersAndMergesOfBothSidesAddUp() {
    for (int i = 0; i < 20; i++) {
      one.add(1);
      two.add(10);
      three.add(100);
      one.sum("both", 1);
      two.sum("both", 10);
      three.sum("both", 100);
      one.sum("ofOne", 1);
      two.sum("ofTwo", 10);
      three.sum("ofTwo", 100);
      nodes.pass(100);
    }
    meetAgain();
    for (Nodes.Node each : all) {
      assertThat(each.count()).isEqualTo("3220");
      assertThat(each.sum("both")).isEqualTo("3220");
      assertThat(each.sum("ofOne")).isEqualTo("20");
      assertThat(each.sum("ofTwo")).isEqualTo("2200");
    }
  }

  @Test
  void soDoTheyThatTheSideWithFewerWritesPutItself() {
    for (int i = 0; i < 20; i++) {
      two.add(1);
      nodes.pass(100);
    }
    one.write(node -> node.sums.put("put", 7L));
    one.sum("put", 1);
    meetAgain();
    for (Nodes.Node each : all) {
      assertThat(each.sum("put")).isEqualTo("8");
      assertThat(each.count()).isEqualTo("1020");
    }
  }

  /** It is alone and settles empty epochs faster, but nothing that the others lack. */
  @Test
  void whatWasRemovedStaysRemovedWhenOneComesBackThatWroteNothing() {
    two.write(node -> node.sums.remove("removed"));
    nodes.pass(100);
    two.add(10);
    meetAgain();
    for (Nodes.Node each : all) {
      assertThat(each.sum("removed")).isEqualTo("null");
      assertThat(each.count()).isEqualTo("1010");
    }
  }

  /** Each of them puts in the same, under the same names. */
  @Test
  void countOnceThoughTwoBringThem() {
    for (int i = 0; i < 40; i++) {
      one.add(1);
      nodes.pass(50);
    }
    for (int i = 0; i < 10; i++) {
      two.add(10);
      three.add(100);
      nodes.pass(100);
    }
    nodes.pass(5_000);
    nodes.together(1, 2);
    nodes.pass(300);
    meetAgain();
    for (Nodes.Node each : all) {
      assertThat(each.count()).isEqualTo("2140");
    }
  }

  @Test
  void partAgainAndAddUpAgain() {
    one.add(1);
    two.add(10);
    meetAgain();
    nodes.together(1, 2);
    nodes.together(3);
    one.add(1);
    three.add(100);
    meetAgain();
    for (Nodes.Node each : all) {
      assertThat(each.count()).isEqualTo("1112");
    }
  }

  /** Then it takes what the third has, which is not what the first had settled. */
  @Test
  void addUpThoughTheSecondHadAllThatTheFirstHasBeforeItWentOverToTheThird() {
    nodes.together(2);
    nodes.together(3);
    for (int i = 0; i < 40; i++) {
      three.add(100);
      if (i % 2 == 0) {
        one.add(1);
      }
      if (i % 4 == 0) {
        two.add(10);
      }
      nodes.pass(50);
    }
    nodes.pass(5_000);
    nodes.together(1, 2);
    nodes.pass(300);
    assertThat(two.replica.taken()).isEqualTo(1);
    nodes.together(1);
    nodes.together(2, 3);
    nodes.pass(300);
    assertThat(two.replica.taken()).isEqualTo(2);
    nodes.together(1, 2);
    nodes.pass(300);
    nodes.together(1, 2, 3);
    nodes.pass(5_000);
    assertThat(nodes.inStep()).isTrue();
    for (Nodes.Node each : all) {
      assertThat(each.count()).isEqualTo("5120");
    }
  }

  /** The key comes as a whole from the second, which brings no more: what made it is in it. */
  @Test
  void whatWasMergedIntoAKeyCountsOnceThoughTheKeyCameBefore() {
    two.add(10);
    for (int i = 0; i < 3; i++) {
      two.sum("ofTwo", 1);
      nodes.pass(100);
    }
    for (int i = 0; i < 40; i++) {
      one.add(1);
      nodes.pass(50);
    }
    nodes.pass(5_000);
    nodes.together(3);
    nodes.sent();
    nodes.loses = Repair.class::isInstance;
    nodes.together(1, 2);
    nodes.pass(300);
    assertThat(two.replica.taken()).isEqualTo(1);
    List<Entry> brought =
        nodes.sent().stream()
            .flatMap(message -> message instanceof Repair it ? it.entries().stream() : null)
            .toList();
    nodes.crash(2);
    nodes.loses = message -> false;
    Entry key = brought.get(4);
    Entry first = key.again(brought.getFirst().stamp(), key.body()); // As whoever is behind would.
    one.hears(2, new Repair(Nodes.SERVICE, 2, List.of(first)));
    assertThat(one.sum("ofTwo")).isEqualTo("3");
    nodes.together(1, 3);
    nodes.pass(5_000);
    assertThat(three.replica.taken()).isEqualTo(1);
    assertThat(nodes.inStep()).isTrue();
    assertThat(one.sum("ofTwo")).isEqualTo("3");
  }

  /**
   * The second has settled all that it wrote, the third has not: it does not hear the second.
   *
   * @return what the first has written meanwhile
   */
  private List<Entry> theSecondSettlesMore() {
    two.add(10);
    two.sum("ofTwo", 1);
    for (int i = 0; i < 60; i++) {
      one.add(1);
      nodes.pass(50);
    }
    nodes.pass(3_000);
    two.sum("ofTwo", 1);
    two.sum("ofTwo", 1);
    one.add(1);
    List<Entry> ofOne = one.replica.unsettled();
    nodes.pass(500);
    nodes.loses = message -> message instanceof ReplicaMessage it && it.replica() == 2;
    nodes.pass(3_000);
    nodes.loses = message -> false;
    assertThat(two.replica.unsettled()).isEmpty();
    assertThat(three.replica.unsettled()).hasSize(2);
    return ofOne;
  }

  private void theSecondMeetsTheFirst() {
    nodes.together(1, 2);
    nodes.pass(300);
    assertThat(two.replica.taken()).isEqualTo(1);
    assertThat(one.sum("ofTwo")).isEqualTo("3");
  }

  private void theThirdMeetsBoth(int sum) {
    nodes.together(1, 2, 3);
    nodes.pass(5_000);
    assertThat(three.replica.taken()).isEqualTo(1);
    assertThat(nodes.inStep()).isTrue();
    assertThat(one.sum("ofTwo")).isEqualTo(String.valueOf(sum));
    assertThat(one.count()).isEqualTo("1071");
  }

  /** It is in the key that the second has brought as a whole. */
  @Test
  void whatOneHasSettledAndAnotherOneOfItsSideHasNotCountsOnce() {
    theSecondSettlesMore();
    theSecondMeetsTheFirst();
    theThirdMeetsBoth(3);
  }

  /** Nothing of which its side knew when it settled: the key is that of its side all the same. */
  @Test
  void soItDoesThoughTheOtherOneHasHeardSomethingOfTheOtherSideBefore() {
    List<Entry> ofOne = theSecondSettlesMore();
    three.told(1, 2, 3);
    three.hears(1, new Repair(Nodes.SERVICE, 1, ofOne));
    assertThat(three.replica.unsettled()).hasSize(3);
    theSecondMeetsTheFirst();
    theThirdMeetsBoth(3);
  }

  /** Where the key is not there yet it would take its place. */
  @Test
  void whatOnlyTheOtherOneHasCountsBesideTheKey() {
    theSecondSettlesMore();
    nodes.loses = ReplicaMessage.class::isInstance;
    three.sum("ofTwo", 10);
    nodes.pass(300); // So that it comes too late for what the first settles alone.
    nodes.loses = message -> false;
    theSecondMeetsTheFirst();
    theThirdMeetsBoth(13);
  }
}
