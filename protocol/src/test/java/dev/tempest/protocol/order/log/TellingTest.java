package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Who answers a client, and after how many messages. The client's own takes no time here. */
final class TellingTest {
  /** To the leader, to a follower, to the client: of these the first takes no time. */
  private static final long ANSWERED = 3;

  private final ReplicasByHand three = new ReplicasByHand();

  /** One whose last update was answered, so its leader knows who is fast. */
  private static void settle(ReplicasByHand group) {
    group.ask(1, 0, group.living());
    group.run(100);
  }

  private static Predicate<Message> said(Class<? extends LogMessage> type) {
    return message -> message instanceof OfLog said && type.isInstance(said.said());
  }

  @Test
  void aFollowerAnswersBeforeTheLeaderHearsOfIt() {
    settle(three);
    three.ask(2, 0, three.living());
    three.run(ANSWERED);
    assertThat(three.answers(2)).containsExactly(2L);
    three.run(100);
    assertThat(three.replies(new RequestId(ReplicasByHand.CLIENT, 2)))
        .extracting(Reply::replica)
        .as("nobody answers again")
        .hasSize(1)
        .doesNotContain(three.leader());
  }

  @Test
  void whatItHasAnsweredOutlivesTheLeader() {
    settle(three);
    three.ask(2, 0, three.living());
    three.run(ANSWERED);
    three.kill(three.leader());
    assertThat(three.answers(2)).containsExactly(2L);
    three.run(1_000);
    three.ask(3, 0, three.living());
    three.run(100);
    assertThat(three.answers(3)).containsExactly(3L);
  }

  /** What the one was to answer is lost, and the other one was not asked to. */
  @Test
  void whatOnlyTheNextLeaderKnowsToBeCommittedItAnswers() {
    settle(three);
    three.lose(said(LogMessage.Tell.class));
    three.takeSent();
    three.ask(2, 0, three.living());
    three.run(2);
    long toTell =
        three.takeSent().stream()
            .filter(sent -> said(LogMessage.Tell.class).test(sent.message()))
            .findFirst()
            .orElseThrow()
            .to();
    three.kill(three.leader());
    three.lose(message ->
        message instanceof OfLog said
            && said.said() instanceof LogMessage.PreVote asks
            && asks.ballot().replica() == toTell);
    three.run(1_000);
    assertThat(three.answers(2)).isNotEmpty().containsOnly(2L);
  }

  /** Somebody in its process has asked, and the others know no address of that one. */
  @Test
  void theLeaderAnswersItsOwnProcess() {
    settle(three);
    RequestId id = new RequestId(ReplicasByHand.CLIENT, 2);
    List<Long> others = three.living().stream().filter(each -> each != three.leader()).toList();
    three.hears(three.leader(), next(three, id, 3));
    others.forEach(each -> three.hears(each, next(three, id, 1)));
    three.run(ANSWERED + 1);
    assertThat(three.replies(id)).extracting(Reply::replica).contains(three.leader());
  }

  private static Message.Update next(ReplicasByHand group, RequestId id, int acks) {
    Call call = new Call(Numbers.NEXT.number(), Numbers.NEXT.encode(new Object[0]));
    return new Message.Update(ReplicasByHand.SERVICE, id, group.partNow(), call, 0, acks, 0);
  }

  @Test
  void theLeaderAnswersWhoeverReachesNobodyElse() {
    settle(three);
    three.ask(2, 0, List.of(three.leader()));
    three.run(ANSWERED + 1);
    assertThat(three.replies(new RequestId(ReplicasByHand.CLIENT, 2)))
        .extracting(Reply::replica)
        .containsExactly(three.leader());
  }

  /**
   * The leader does not know of whom an answer was lost: the next ones it gives itself, a while.
   */
  @Test
  void theLeaderAnswersWhoeverHadToAskAgain() {
    settle(three);
    three.ask(2, 0, three.living());
    three.run(ANSWERED);
    three.ask(2, 1, three.living());
    three.run(10);
    for (long sequence = 3; sequence < 8; sequence++) {
      three.ask(sequence, 0, three.living());
      three.run(ANSWERED + 1);
      assertThat(three.replies(new RequestId(ReplicasByHand.CLIENT, sequence)))
          .extracting(Reply::replica)
          .containsExactly(three.leader());
    }
    three.run(1_001);
    three.ask(8, 0, three.living());
    three.run(ANSWERED);
    assertThat(three.answers(8)).as("told again by whoever is faster").containsExactly(8L);
  }

  @Test
  void whoeverWantsSeveralAnswersGetsThem() {
    settle(three);
    RequestId id = new RequestId(ReplicasByHand.CLIENT, 2);
    Message.Update update = next(three, id, 2);
    three.living().forEach(each -> three.hears(each, update));
    three.run(100);
    assertThat(three.replies(id)).extracting(Reply::replica).doesNotHaveDuplicates().hasSize(2);
  }

  /** The follower has told the client before its leader knows: that may not read as if not. */
  @Test
  void aReadByLeaseWaitsForWhatAFollowerMayHaveTold() {
    HoldingsByHand leased = HoldingsByHand.reading(ByConsensus.Reads.LEASE);
    leased.update(1, "add", "a", 1L);
    leased.group.run(100);
    leased.group.lose(said(LogMessage.Told.class).or(said(LogMessage.Accepted.class)));
    RequestId told = leased.send(1, leased.group.living(), "add", "a", 1L);
    leased.group.run(ANSWERED);
    assertThat(leased.answers(told)).hasSize(1);
    RequestId read = leased.ask(leased.leader(), "a", null);
    leased.group.run(10);
    assertThat(leased.answers(read)).isEmpty();
    leased.group.heal();
    leased.group.run(100);
    assertThat(leased.answers(read)).containsExactly(2L);
  }

  /** Another majority of five may have heard of nothing. */
  @Test
  void inAGroupOfFiveTheLeaderAnswers() {
    ReplicasByHand five =
        new ReplicasByHand(
            new ReplicasByHand.Setup(
                5, id -> Order.LINEARIZABLE, 1 << 20, id -> Numbers.instance()));
    settle(five);
    five.lose(said(LogMessage.Told.class).or(said(LogMessage.Accepted.class)));
    five.ask(2, 0, five.living());
    five.run(50);
    assertThat(five.answers(2)).isEmpty();
    five.heal();
    five.run(100);
    assertThat(five.answers(2)).containsExactly(2L);
  }

  /** What the leader has not stored yet may be gone with its power. */
  @Test
  void whereLogsAreStoredTheLeaderAnswers() {
    ReplicasByHand stored = new ReplicasByHand(Order.LINEARIZABLE.withLog(ByConsensus.Log.DISK));
    settle(stored);
    stored.takeSent();
    stored.ask(2, 0, stored.living());
    stored.run(100);
    assertThat(stored.answers(2)).containsExactly(2L);
    assertThat(stored.takeSent())
        .noneMatch(sent -> said(LogMessage.Tell.class).test(sent.message()));
  }
}
