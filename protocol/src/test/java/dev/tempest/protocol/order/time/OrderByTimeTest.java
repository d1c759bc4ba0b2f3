package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import org.junit.jupiter.api.Test;

/** Replicas ordered by time, beyond what the paper says of them. */
final class OrderByTimeTest {
  private final Cluster cluster = new Cluster(3);

  @Test
  void aLateEntryTurnsARefusalOfTheServiceIntoAResult() {
    long now = cluster.nowNanos / Cluster.MILLI;
    Entry take = cluster.entry(2, 1, now + 1, cluster.call("take", "x", 5));
    var threw = cluster.update(take, 2);
    assertThat(threw).singleElement().isInstanceOf(Answer.Threw.class);
    cluster.update(cluster.entry(1, 1, now, cluster.call("add", "x", 7)), 1);
    cluster.pass(1_000);
    assertThat(cluster.amount(2, "x")).isEqualTo(2);
    assertThat(cluster.update(take, 2)).singleElement().isInstanceOf(Answer.Returned.class);
  }

  @Test
  void whatComesLateIsAnsweredWithAllThatDoes() {
    long now = cluster.nowNanos / Cluster.MILLI;
    for (int sequence = 1; sequence <= 50; sequence++) {
      cluster.update(cluster.entry(3, sequence, now + 1, cluster.call("add", "x", 1)), 1);
    }
    for (int sequence = 1; sequence <= 50; sequence++) {
      Entry late = cluster.entry(2, sequence, now, cluster.call("add", "x", 1));
      assertThat(cluster.send(late, 1)).isEmpty();
    }
    Entry inOrder = cluster.entry(4, 1, now + 2, cluster.call("add", "x", 1));
    assertThat(cluster.send(inOrder, 1)).singleElement().isInstanceOf(Answer.Returned.class);
    assertThat(cluster.replica(1).status("").rerun()).isZero();
    assertThat(cluster.replica(1).nextTickNanos()).isEqualTo(cluster.nowNanos);
    cluster.tick();
    assertThat(cluster.answers()).hasSize(51).allMatch(Answer.Returned.class::isInstance);
    assertThat(cluster.replica(1).status("").rerun()).isEqualTo(51); // And not 51 for each.
  }

  @Test
  void aRetryIsAnsweredAsBeforeWhileWhatCameLateHasYetToRun() {
    long now = cluster.nowNanos / Cluster.MILLI;
    Entry first = cluster.entry(3, 1, now + 1, cluster.call("add", "x", 1));
    var answer = cluster.update(first, 1);
    assertThat(cluster.send(cluster.entry(2, 1, now, cluster.call("add", "x", 1)), 1)).isEmpty();
    assertThat(cluster.send(first, 1)).isEqualTo(answer);
    assertThat(cluster.replica(1).status("").rerun()).isZero();
  }

  @Test
  void aRequestSettledBeforeTheTransferRunsNoSecondTimeAfterIt() {
    Entry entry = cluster.entry(1, 1, cluster.call("add", "x", 3));
    var first = cluster.update(entry, cluster.all());
    cluster.pass(5_000);
    cluster.start(2);
    cluster.pass(1_000);
    assertThat(cluster.update(entry, 2)).containsExactly(first.getFirst());
  }

  @Test
  void whatAReplicaExecutedWhileItWasAloneWithoutMemoryIsNotLost() {
    cluster.update(cluster.entry(1, 1, cluster.call("add", "x", 3)), cluster.all());
    cluster.pass(5_000);
    cluster.silence(2);
    cluster.start(2);
    cluster.pass(3_000);
    assertThat(cluster.replica(2).isActive()).isFalse(); // The others may have state.
    cluster.tell(2, 2);
    assertThat(cluster.replica(2).isActive()).isTrue();
    cluster.heard(2);
    cluster.tell(2, cluster.all());
    cluster.update(cluster.entry(9, 1, cluster.call("add", "x", 10)), 2);
    cluster.pass(5_000);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.amount(1, "x")).isEqualTo(13);
  }

  @Test
  void aJoiningReplicaRefusesAndDoesNotExecute() {
    cluster.silence(3);
    cluster.start(3);
    cluster.heard(3);
    var answers = cluster.update(cluster.entry(1, 1, cluster.call("add", "x", 3)), 3);
    assertThat(answers)
        .singleElement()
        .matches(answer ->
            answer instanceof Answer.Refused refused && refused.reason() == Answer.Reason.JOINING);
  }

  @Test
  void aReplicaThatJoinedAnswersWithAllThatItWasGiven() {
    cluster.update(cluster.entry(7, 1, cluster.call("add", "alice", 5)), 1, 3);
    cluster.start(2);
    cluster.tick();
    assertThat(cluster.replica(2).isActive()).isTrue();
    assertThat(cluster.replica(2).settled().count()).as("settled").isZero();

    Entry more = cluster.entry(7, 2, cluster.call("add", "alice", 1));
    var answers = cluster.update(more, cluster.all());
    assertThat(answers).hasSize(3).containsOnly(answers.getFirst());
  }

  @Test
  void anAnswerLacksWhatCameLateForNoLongerThanARoundOfGossip() {
    cluster.silence(3); // And so nothing settles.
    cluster.update(cluster.entry(7, 1, cluster.call("add", "alice", 5)), 1);
    cluster.update(cluster.entry(8, 1, cluster.call("twice", "alice")), 2);
    cluster.pass(300);
    assertThat(cluster.replica(2).settled().count()).as("settled").isZero();

    Entry more = cluster.entry(7, 2, cluster.call("add", "alice", 1));
    var answers = cluster.update(more, 1, 2);
    assertThat(answers).hasSize(2).containsOnly(answers.getFirst());
  }

  @Test
  void entriesSettleAndTheWindowEmpties() {
    for (int sequence = 1; sequence <= 500; sequence++) {
      long[] reached = sequence % 3 == 0 ? cluster.allBut(1 + sequence % 2) : cluster.all();
      cluster.update(cluster.entry(1, sequence, cluster.call("add", "x", 1)), reached);
      cluster.pass(10);
    }
    assertThat(cluster.replica(1).unsettled()).hasSizeLessThan(450);
    cluster.pass(5_000);
    assertThat(cluster.allTrue(each -> each.unsettled().isEmpty())).isTrue();
    assertThat(cluster.amount(3, "x")).isEqualTo(500);
  }

  @Test
  void aSilentReplicaKeepsEntriesFromSettlingAndThenGetsThem() {
    cluster.silence(2);
    for (int sequence = 1; sequence <= 300; sequence++) {
      cluster.update(cluster.entry(1, sequence, cluster.call("add", "x", 1)), 1, 3);
      cluster.pass(50);
    }
    assertThat(cluster.replica(1).unsettled()).hasSize(300);
    cluster.heard(2);
    cluster.pass(3_000);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.amount(2, "x")).isEqualTo(300);
    cluster.pass(5_000);
    assertThat(cluster.replica(1).unsettled()).isEmpty();
  }

  @Test
  void aRequestStampedAnewCountsAtItsLowerStamp() {
    Entry early = cluster.entry(1, 1, cluster.call("add", "x", 3));
    cluster.update(early, 1);
    cluster.silence(1);
    cluster.pass(3_000);
    Entry anew = new Entry(early.id(), Stamp.atNanos(cluster.nowNanos), early.body());
    assertThat(cluster.update(early, 3))
        .singleElement()
        .matches(answer ->
            answer instanceof Answer.Refused refused
                && refused.reason() == Answer.Reason.STAMP_EXPIRED);
    cluster.update(anew, 2);
    cluster.heard(1);
    cluster.pass(6_000);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.amount(1, "x")).isEqualTo(3);
    assertThat(cluster.allTrue(each -> each.unsettled().isEmpty())).isTrue();
  }

  @Test
  void aRequestThatNamesNoMethodLeavesNothingBehind() {
    Entry wrong = cluster.entry(1, 1, new dev.tempest.wire.Call(12345, Bytes.EMPTY));
    assertThat(cluster.update(wrong, cluster.all()))
        .allMatch(answer ->
            answer instanceof Answer.Refused refused
                && refused.reason() == Answer.Reason.UNKNOWN_METHOD);
    assertThat(cluster.replica(1).unsettled()).isEmpty();
  }

  @Test
  void aReplySaysNoEarlierTimeThanThatOfWhatWasExecuted() {
    long ahead = cluster.nowNanos / Cluster.MILLI + 3_000;
    Entry entry = cluster.entry(1, 1, ahead, cluster.call("add", "x", 1));
    cluster.update(entry, 1);
    assertThat(Stamp.of(cluster.lastReply().part())).isGreaterThanOrEqualTo(entry.stamp());
  }

  @Test
  void aStampFarAheadIsRefused() {
    long ahead = cluster.nowNanos / Cluster.MILLI + 60_000;
    assertThat(cluster.update(cluster.entry(1, 1, ahead, cluster.call("add", "x", 1)), 1))
        .singleElement()
        .matches(answer ->
            answer instanceof Answer.Refused refused
                && refused.reason() == Answer.Reason.STAMP_AHEAD);
  }

  @Test
  void repairsComeInMessagesOfBoundedSize() {
    cluster.silence(2);
    for (int sequence = 1; sequence <= 1_000; sequence++) {
      cluster.update(cluster.entry(1, sequence, cluster.call("add", "x", 1)), 1, 3);
    }
    cluster.heard(2);
    cluster.sent();
    cluster.pass(1_000);
    assertThat(cluster.sent())
        .filteredOn(message -> message instanceof Message.Repair)
        .isNotEmpty()
        .allMatch(message ->
            message instanceof Message.Repair repair
                && repair.entries().size() <= ReplicaSettings.Limits.USUAL.repairMax());
    assertThat(cluster.amount(2, "x")).isEqualTo(1_000);
  }

  /** It may have been refused for good by the process that was there before. */
  @Test
  void aReplicaThatBeginsAnewTakesNoRequestOfBefore() {
    Entry before = cluster.entry(9, 1, cluster.call("add", "x", 3));
    cluster.pass(300);
    cluster.start(2);
    cluster.pass(200);
    assertThat(cluster.replica(2).isActive()).isTrue();

    assertThat(cluster.update(before, 2))
        .singleElement()
        .matches(answer ->
            answer instanceof Answer.Refused refused
                && refused.reason() == Answer.Reason.STAMP_EXPIRED);
    assertThat(cluster.update(before, 1)).singleElement().isInstanceOf(Answer.Returned.class);
  }
}
