package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Message;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Replicas that write by themselves, under views that change. */
final class WritesTest {
  private final Nodes nodes = new Nodes();

  @Nested
  final class Writing {
    @Test
    void countsAtOnceAndIsNotExecutedAgain() {
      var one = nodes.start(1);
      var after = one.write(node -> node.map.put("a", "x"));
      assertThat(one.replica.version()).isSameAs(after);
      assertThat(one.replica.status("").rerun()).isZero();
    }

    @Test
    void reachesTheOthersWithTheNextTickWithoutGossip() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      one.put("a", "x");
      assertThat(one.replica.nextTickNanos()).isLessThanOrEqualTo(nodes.nowNanos);
      nodes.sent();
      nodes.pass(10);
      assertThat(two.get("a")).isEqualTo("x");
      assertThat(nodes.sent()).filteredOn(Message.Repair.class::isInstance).hasSize(1);
    }

    /** The usual case: whatever comes is the newest, and is applied, but nothing runs again. */
    @Test
    void whatOthersWroteIsAppendedWithoutRunningAnythingAgain() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      for (int i = 0; i < 1_000; i++) {
        (i % 2 == 0 ? one : two).put("key" + i % 7, "value" + i);
        nodes.pass(10);
      }
      assertThat(nodes.inStep()).isTrue();
      assertThat(nodes.all(replica -> replica.status("").rerun() == 0)).isTrue();
    }

    /** Each would take as long as to execute all that follows what came late. */
    @Test
    void doesNotWaitUntilWhatCameLateHasRun() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      nodes.loses = Message.Repair.class::isInstance;
      one.add(1);
      nodes.pass(50);
      nodes.loses = message -> false;
      two.write(node -> node.map.put("a", "x"));
      var without = two.replica.stand().version();
      while (!two.replica.hasExecuted(one.replica.unsettled().getFirst().id())) {
        nodes.pass(10);
      }
      assertThat(two.replica.stand().version()).isSameAs(without);
      var after = two.write(without, node -> node.map.put("b", "y"));
      assertThat(two.replica.stand().version()).isSameAs(after);
      assertThat(two.count()).isEqualTo("1");
      assertThat(two.get("b")).isEqualTo("y");
    }

    @Test
    void landsAfterEverythingSeenEvenFromAClockThatIsAhead() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      nodes.nowNanos += 3_000 * Nodes.MILLI;
      one.put("a", "ahead");
      nodes.nowNanos -= 3_000 * Nodes.MILLI;
      nodes.pass(200);
      two.put("a", "later");
      assertThat(two.get("a")).isEqualTo("later");
      nodes.pass(1_000);
      assertThat(one.get("a")).isEqualTo("later");
    }

    @Test
    void everythingOfAnOutageComesInBatchesOfBoundedSize() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      for (int i = 0; i < 20_000; i++) {
        one.add(1);
      }
      nodes.sent();
      nodes.pass(2_000);
      assertThat(two.count()).isEqualTo("20000");
      assertThat(nodes.sent())
          .filteredOn(Message.Repair.class::isInstance)
          .allMatch(message ->
              message instanceof Message.Repair repair
                  && repair.entries().size() <= ReplicaSettings.Limits.USUAL.repairMax());
    }
  }

  @Nested
  final class Limits {
    @Test
    void isFullByBytesWhileSomebodyIsSilentAndLosesNothingNevertheless() {
      var one = nodes.start(1, 60_000, 100_000);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      nodes.cutOff(2);
      int written = 0;
      while (!one.replica.isFull() && written < 1_000) {
        one.put("key" + written++, "x".repeat(1_000));
        nodes.pass(10);
      }
      assertThat(written).isBetween(50, 100);
      one.put("more", "kept");
      nodes.mend();
      nodes.pass(3_000);
      assertThat(two.get("more")).isEqualTo("kept");
      assertThat(one.replica.isFull()).isFalse();
    }
  }

  @Nested
  final class Views {
    @Test
    void aloneEverythingSettlesAtOnce() {
      var one = nodes.start(1);
      for (int i = 0; i < 100; i++) {
        one.add(1);
        nodes.pass(10);
      }
      assertThat(one.replica.unsettled()).hasSizeLessThan(40);
      nodes.pass(300);
      assertThat(one.replica.unsettled()).isEmpty();
      assertThat(one.count()).isEqualTo("100");
    }

    @Test
    void whoeverIsToldItsFirstViewTakesTheStateOfTheOthers() {
      var one = nodes.start(1);
      one.put("a", "x");
      nodes.pass(500);
      one.put("b", "y");
      var two = nodes.start(2);
      two.told(1, 2);
      assertThat(two.replica.isActive()).isFalse();
      nodes.together(1, 2);
      assertThat(two.replica.isActive()).isTrue();
      assertThat(List.of(two.get("a"), two.get("b"))).containsExactly("x", "y");
    }

    @Test
    void whatAJoinerWroteBeforeItHadStateIsNotLost() {
      var one = nodes.start(1);
      one.put("a", "x");
      nodes.pass(500);
      var two = nodes.start(2);
      two.put("b", "y");
      nodes.together(1, 2);
      nodes.pass(500);
      assertThat(List.of(one.get("b"), two.get("a"))).containsExactly("y", "x");
    }

    @Test
    void twoThatStartTogetherBothBeginWithNothing() {
      nodes.start(1);
      nodes.start(2);
      nodes.together(1, 2);
      assertThat(nodes.all(ReplicaByTime::isActive)).isTrue();
    }

    @Test
    void nothingIsWaitedForAfterTheTimeOfReunion() {
      var one = nodes.start(1, 5_000, 1 << 30);
      nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      nodes.crash(2);
      nodes.together(1);
      one.add(1);
      nodes.pass(4_000);
      assertThat(one.replica.unsettled()).hasSize(1);
      nodes.pass(2_000);
      assertThat(one.replica.unsettled()).isEmpty();
    }

    @Test
    void nobodyIsWaitedForWhenMemoryRunsShort() {
      var one = nodes.start(1, 60_000, 40_000);
      nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(500);
      nodes.crash(2);
      nodes.together(1);
      for (int i = 0; i < 1_000; i++) {
        one.add(1);
        nodes.pass(10);
        assertThat(one.replica.isFull()).isFalse();
      }
      assertThat(one.count()).isEqualTo("1000");
    }
  }

  @Nested
  final class ComingTogether {
    private final Nodes.Node one = nodes.start(1, 10_000, 1 << 30);
    private final Nodes.Node two = nodes.start(2, 10_000, 1 << 30);
    private final Nodes.Node three = nodes.start(3, 10_000, 1 << 30);

    private void apartFor(long millis) {
      nodes.together(1, 2, 3);
      one.add(1);
      one.put("common", "x");
      one.put("removed", "x");
      nodes.pass(2_000);
      nodes.together(1, 2);
      nodes.together(3);
      one.add(10);
      one.put("contested", "first");
      one.write(node -> node.map.remove("removed"));
      two.put("left", "l");
      nodes.pass(millis / 2);
      three.add(100);
      three.put("contested", "last");
      three.put("right", "r");
      nodes.pass(millis / 2);
      nodes.together(1, 2, 3);
      nodes.pass(2_000);
    }

    @Test
    void afterAShortTimeEverythingFindsItsPlaceInTheOrder() {
      apartFor(6_000);
      assertThat(nodes.inStep()).isTrue();
      assertThat(two.count()).isEqualTo("111");
      assertThat(List.of(one.get("contested"), three.get("left"), one.get("right")))
          .containsExactly("last", "l", "r");
      assertThat(three.get("removed")).isEqualTo("null");
      assertThat(one.replica.reconciled()).isPositive();
      assertThat(three.replica.reconciled()).isPositive();
    }

    @Test
    void afterALongTimeNothingIsLostFromCollections() {
      apartFor(40_000);
      assertThat(nodes.inStep()).isTrue();
      assertThat(List.of(three.get("left"), one.get("right"), two.get("common")))
          .containsExactly("l", "r", "x");
      assertThat(one.get("contested")).isIn("first", "last");
      nodes.pass(15_000);
      assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    }

    /** It has settled nothing by itself, so what others removed meanwhile stays removed. */
    @Test
    void whoeverSleptForLongBringsNothingBackThatWasRemoved() {
      nodes.together(1, 2, 3);
      one.put("removed", "x");
      nodes.pass(3_000);
      nodes.cutOff(3);
      three.add(5);
      nodes.together(1, 2);
      one.write(node -> node.map.remove("removed"));
      for (int i = 0; i < 1_500; i++) {
        one.add(1);
        nodes.pass(100);
      }
      nodes.mend();
      nodes.together(1, 2, 3);
      nodes.pass(3_000);
      assertThat(nodes.inStep()).isTrue();
      assertThat(three.get("removed")).isEqualTo("null");
      assertThat(one.count()).isEqualTo("1505");
    }

    @Test
    void clustersThatNeverMetKeepWhatBothHave() {
      nodes.together(1, 2);
      one.put("left", "l");
      one.put("both", "left");
      nodes.pass(10);
      one.put("more", "m");
      nodes.pass(3_000);
      nodes.together(3);
      three.put("right", "r");
      three.put("both", "right");
      nodes.pass(3_000);
      nodes.together(1, 2, 3);
      nodes.pass(3_000);
      assertThat(nodes.inStep()).isTrue();
      assertThat(List.of(three.get("left"), one.get("right"))).containsExactly("l", "r");
    }

    /** The others have settled without it, and it has not been told that it is gone for them. */
    @Test
    void whatComesTooLateForASettledEpochIsPutInAgain() {
      nodes.together(1, 2, 3);
      nodes.pass(500);
      one.told(1, 2);
      two.told(1, 2);
      nodes.pass(61_000);
      three.add(7);
      for (int i = 0; i < 40; i++) {
        one.add(1);
        nodes.pass(100);
      }
      assertThat(two.count()).isEqualTo("40");
      nodes.together(1, 2, 3);
      nodes.pass(3_000);
      assertThat(nodes.inStep()).isTrue();
      assertThat(two.count()).isEqualTo("47");
    }
  }

  @Nested
  final class Time {
    @Test
    void whatExpiresGoesAtIdleReplicasAsWell() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      one.write(node -> node.map.put("a", "x", Duration.ofMillis(700)));
      nodes.pass(500);
      assertThat(two.get("a")).isEqualTo("x");
      nodes.pass(500);
      assertThat(List.of(one.get("a"), two.get("a"))).containsExactly("null", "null");
      assertThat(nodes.inStep()).isTrue();
    }

    /** The place of expiry in the order is the same, whenever the write after it arrives. */
    @Test
    void aWriteThatCameLateFindsTheSameEntriesExpired() {
      var one = nodes.start(1);
      var two = nodes.start(2);
      nodes.together(1, 2);
      nodes.pass(300);
      one.write(node -> node.map.put("a", "x", Duration.ofMillis(500)));
      nodes.pass(10);
      nodes.cutOff(2);
      nodes.pass(1_000);
      two.put("a", "again");
      one.put("b", "y");
      nodes.pass(300);
      nodes.mend();
      nodes.pass(5_000);
      assertThat(nodes.inStep()).isTrue();
      assertThat(List.of(one.get("a"), two.get("b"))).containsExactly("again", "y");
      assertThat(nodes.all(replica -> replica.unsettled().isEmpty())).isTrue();
    }
  }
}
