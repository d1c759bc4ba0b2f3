package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

/** What comes far too late no leader executes: so a client knows how what was refused has ended. */
final class LateUpdatesTest {
  private static final long BEHIND = LogSettings.Limits.USUAL.stampBehindMaxMillis();
  private static final long AHEAD = 59_000 * ReplicasByHand.MILLI;
  private static final RequestId ID = new RequestId(ReplicasByHand.CLIENT, 1);

  private final ReplicasByHand group = new ReplicasByHand();
  private final OrderPart asked = group.partNow();

  /** Though nothing else happens, the time of the log passes. */
  @Test
  void whatWasRefusedBecomesTooLate() {
    group.sheds(group.leader(), update(0));
    assertThat(refusal().reason()).isEqualTo(Reason.OVERLOADED);
    group.run(BEHIND + 100);

    group.hears(group.leader(), update(1));
    assertThat(refusal().reason()).isEqualTo(Reason.STAMP_EXPIRED);
    assertThat(last().part())
        .isInstanceOfSatisfying(
            OrderPart.Logged.class,
            log ->
                assertThat(Stamp.millis(log.stamp()))
                    .isGreaterThan(Stamp.millis(Stamp.of(asked)) + BEHIND));
    group.kill(group.leader());
    group.run(500);
    group.hears(group.leader(), update(2));
    assertThat(refusal().reason()).isEqualTo(Reason.STAMP_EXPIRED);
    assertThat(executed()).isZero();
  }

  /** Where nothing else is agreed on, time has no reason to pass. */
  @Test
  void whatNobodyRefusedIsExecutedHoweverLate() {
    group.run(3 * BEHIND);
    group.hears(group.leader(), update(1));
    group.run(10);
    assertThat(last().answer()).isInstanceOf(Answer.Returned.class);
  }

  @Test
  void othersThatAreRefusedMeanwhileDoNotPutThatOff() {
    group.sheds(group.leader(), update(0));
    for (long client = 1_000; client < 1_000 + BEHIND / 50; client++) {
      group.sheds(group.leader(), update(new RequestId(client, 1), group.partNow(), 0));
      group.run(100);
    }
    group.hears(group.leader(), update(1));
    assertThat(refusal().reason()).isEqualTo(Reason.STAMP_EXPIRED);
  }

  /** Its clock is ahead; others need not wait until the log is there. */
  @Test
  void oneWhoseClockIsAheadDoesNotPutThatOff() {
    OrderPart ahead = Stamp.partAt(Stamp.millis(Stamp.of(asked)) * ReplicasByHand.MILLI + AHEAD);
    group.sheds(group.leader(), update(new RequestId(1_000, 1), ahead, 0));
    group.sheds(group.leader(), update(0));
    group.run(2 * BEHIND);
    group.sheds(group.leader(), update(1));
    group.run(2 * BEHIND);
    group.hears(group.leader(), update(1));
    assertThat(refusal().reason()).isEqualTo(Reason.STAMP_EXPIRED);
  }

  @Test
  void timePassesOnceForWhatWasRefusedAndNeverForNothing() {
    long before = slots();
    group.run(2 * BEHIND);
    assertThat(slots()).isEqualTo(before);

    group.sheds(group.leader(), update(ID, group.partNow(), 0));
    group.run(BEHIND - 5);
    group.lose(LateUpdatesTest::isAccepted);
    group.run(80); // Some heartbeats; with more another one leads.
    group.heal();
    group.run(BEHIND);
    assertThat(slots()).isEqualTo(before + 1);
  }

  private static boolean isAccepted(Message message) {
    return message instanceof Message.OfLog said
        && (said.said() instanceof LogMessage.Accepted || said.said() instanceof LogMessage.Told);
  }

  private long slots() {
    return group.replica(group.leader()).status("").settledEpoch();
  }

  private Update update(int attempt) {
    return update(ID, asked, attempt);
  }

  private static Update update(RequestId id, OrderPart part, int attempt) {
    return new Update(ReplicasByHand.SERVICE, id, part, call(), attempt, 1, 0);
  }

  private static Call call() {
    return new Call(Numbers.NEXT.number(), Numbers.NEXT.encode(new Object[0]));
  }

  private Reply last() {
    group.run(2);
    return group.replies(ID).getLast();
  }

  private Answer.Refused refusal() {
    return (Answer.Refused) last().answer();
  }

  private long executed() {
    return group.living().stream().mapToLong(group::executed).max().orElseThrow();
  }
}
