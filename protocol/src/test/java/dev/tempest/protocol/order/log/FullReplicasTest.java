package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replicas that have no room for updates, and front-ends that ask nobody but a follower. */
final class FullReplicasTest {
  private static final long BEHIND = LogSettings.Limits.USUAL.stampBehindMaxMillis();
  private static final RequestId ID = new RequestId(ReplicasByHand.CLIENT, 1);
  private static final Call NEXT =
      new Call(Numbers.NEXT.number(), Numbers.NEXT.encode(new Object[0]));

  /** As of a front-end whose only server answers, whatever its rank. */
  private static final int ALL = 1_000;

  private final ReplicasByHand group = new ReplicasByHand();
  private final OrderPart asked = group.partNow();

  @Test
  void aFollowerHasTheLeaderExecute() {
    group.sheds(follower(), update(NEXT, LogRequests.PASSED_ON_ATTEMPT));
    group.run(50);

    assertThat(group.replies(ID))
        .extracting(Reply::answer)
        .hasOnlyElementsOfType(Answer.Returned.class)
        .isNotEmpty();
    assertThat(group.executed(group.leader())).isEqualTo(1);
  }

  @Test
  void aFollowerPassesOnWhatItsLeaderRefuses() {
    group.sheds(group.leader(), update(NEXT, 0));
    group.run(BEHIND + 100);
    int before = group.replies(ID).size();

    group.hears(follower(), update(NEXT, LogRequests.PASSED_ON_ATTEMPT));
    group.run(50);
    List<Reply> since = group.replies(ID).subList(before, group.replies(ID).size());
    assertThat(since)
        .singleElement()
        .matches(reply -> reply.replica() == follower())
        .matches(reply ->
            reply.part() instanceof OrderPart.Logged log
                && Stamp.millis(log.stamp()) > Stamp.millis(Stamp.of(asked)) + BEHIND)
        .extracting(Reply::answer)
        .matches(answer ->
            answer instanceof Answer.Refused(var why, var how) && why == Reason.STAMP_EXPIRED);
  }

  /** The next leader may be capable of it. */
  @Test
  void aFollowerPassesOnNothingThatHoldsForItsLeaderAlone() {
    Update unknown = update(new Call(99, Bytes.EMPTY), LogRequests.PASSED_ON_ATTEMPT);
    group.hears(follower(), unknown);
    group.run(50);
    assertThat(group.replies(ID)).isEmpty();

    group.hears(group.leader(), unknown);
    group.run(50);
    assertThat(group.replies(ID)).isNotEmpty();
  }

  @Test
  void theLogIsDroppedWhileTheMemoryIsFull() {
    assertThat(takesTheState(false)).isFalse();
    assertThat(takesTheState(true)).isTrue();
  }

  /** Whether a follower that was away takes the state, as there is no log. */
  private boolean takesTheState(boolean whileFull) {
    long away = follower();
    long leader = group.leader();
    group.kill(away);
    group.hears(leader, update(new RequestId(7, whileFull ? 2 : 1), NEXT, 0));
    group.isFull(leader, whileFull);
    group.run(10_000);
    group.wake(away);
    group.takeSent();
    group.run(1_000);
    return group.takeSent().stream().anyMatch(sent -> isWish(sent.message()));
  }

  private static boolean isWish(Message message) {
    return message instanceof Message.OfLog said && said.said() instanceof LogMessage.StateWish;
  }

  private long follower() {
    return group.living().stream().filter(id -> id != group.leader()).findFirst().orElseThrow();
  }

  private Update update(Call call, int attempt) {
    return update(ID, call, attempt);
  }

  private Update update(RequestId id, Call call, int attempt) {
    return new Update(ReplicasByHand.SERVICE, id, asked, call, attempt, ALL, 0);
  }
}
