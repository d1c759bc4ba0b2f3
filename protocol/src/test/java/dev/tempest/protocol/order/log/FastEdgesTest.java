package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.frontend.Tally;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Ballots;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is not as members that vote would like it: clocks, other servers, votes that came late. */
final class FastEdgesTest {
  private static final Order.ByConsensus CLASSIC =
      new Order.ByConsensus(Executes.ALL, Reads.LINEARIZABLE, Log.MEMORY);
  private static final Order.ByConsensus FAST = CLASSIC.withBallots(Ballots.FAST);
  private static final Call NEXT =
      new Call(Numbers.NEXT.number(), Numbers.NEXT.encode(new Object[0]));
  private static final int LOG_BYTES = 1 << 13;

  private static ReplicasByHand group(int size, LongFunction<ServiceInstance> service) {
    return new ReplicasByHand(new ReplicasByHand.Setup(size, id -> FAST, 1 << 20, service));
  }

  private static Message.Update update(RequestId id, OrderPart part, int attempt) {
    return new Message.Update(ReplicasByHand.SERVICE, id, part, NEXT, attempt, 1, 0);
  }

  private static RequestId send(ReplicasByHand group, long client, long sequence, long behind) {
    RequestId id = new RequestId(client, sequence);
    long millis = Stamp.millis(Stamp.of(group.partNow())) - behind;
    OrderPart part = Stamp.partAt(millis * ReplicasByHand.MILLI);
    group.living().forEach(each -> group.hears(each, update(id, part, 0)));
    return id;
  }

  /** How many of these were answered by votes. */
  private static long byVotes(ReplicasByHand group, List<RequestId> all) {
    return all.stream()
        .filter(id -> group.replies(id).size() >= 3)
        .filter(id -> group.replies(id).stream().allMatch(FastEdgesTest::isVote))
        .count();
  }

  private static boolean isVote(Reply reply) {
    return reply.part() instanceof OrderPart.Voted;
  }

  private static Predicate<Message> of(long from, Predicate<LogMessage> which) {
    return message ->
        message instanceof OfLog(long service, long replica, LogMessage said)
            && replica == from
            && which.test(said);
  }

  /** A service of whose answers each server makes the texts. */
  private static ServiceInstance throwing(long server) {
    return ServiceInstance.of(
        Numbers.class,
        state ->
            (Numbers)
                () -> {
                  throw new IllegalStateException("by server " + server);
                });
  }

  /** A service that says when it was called before. */
  private static final class Clocked implements Numbers {
    private final State state;
    private final Map<String, Long> times;

    Clocked(State state) {
      this.state = state;
      this.times = state.map("times", String.class, Long.class);
    }

    @Override
    public long next() {
      Long before = times.put("last", state.action().now().toEpochMilli());
      return before == null ? 0 : before;
    }
  }

  @Nested
  final class Logs {
    /** A leader that opens no periods says nothing of what a majority has, either. */
    @Test
    void areDroppedThoughOnlySomeVote() {
      for (long classic = 1; classic <= 3; classic++) {
        long other = classic;
        ReplicasByHand group =
            new ReplicasByHand(
                new ReplicasByHand.Setup(
                    3, id -> id == other ? CLASSIC : FAST, LOG_BYTES, id -> Numbers.instance()));
        for (int i = 1; i <= 500; i++) {
          send(group, i, 1, 0);
          group.run(i % 4 == 0 ? 1 : 0);
        }
        group.run(500);
        for (long id : group.living()) {
          assertThat(group.replica(id).status("").executed()).isEqualTo(500);
          assertThat(group.replica(id).toString()).doesNotContain("slots 0 to");
        }
      }
    }

    /**
     * Two have voted for two updates, and one of them has said so. The leader proposes the first
     * one anew, at another time, which only a third one hears. What the second one came to was on
     * what was voted for.
     */
    @Test
    void areNotContinuedByVotesOnSomethingElse() {
      ReplicasByHand group = group(4, id -> ServiceInstance.of(Numbers.class, Clocked::new));
      long leader = group.leader();
      List<Long> others = group.living().stream().filter(id -> id != leader).toList();
      List<Long> voters = others.subList(0, 2);
      send(group, 1, 1, 0);
      group.run(50);
      group.lose(of(others.get(1), said -> said instanceof LogMessage.Closed));
      Message.Update first = update(new RequestId(77, 2), group.partNow(), 0);
      Message.Update second = update(new RequestId(78, 1), group.partNow(), 0);
      for (long voter : voters) {
        group.hears(voter, first);
        group.hears(voter, second);
      }
      awaitClosed(group);
      group.part(voters);
      group.hears(leader, first);
      group.run(3);
      group.kill(leader);
      group.heal();
      group.run(1_000);
      assertThat(group.told()).isEmpty();
      assertThat(group.living()).allMatch(id -> group.isActive(id));
    }

    private void awaitClosed(ReplicasByHand group) {
      group.takeSent();
      boolean isClosed = false;
      for (int i = 0; i < 200 && !isClosed; i++) {
        group.run(1);
        isClosed =
            group.takeSent().stream()
                .anyMatch(sent ->
                    sent.message() instanceof OfLog(var of, var by, LogMessage.Period period)
                        && !period.isFast()
                        && period.number() > 1);
      }
      assertThat(isClosed).isTrue();
    }
  }

  @Nested
  final class Clients {
    @Test
    void areToldThatTheirUpdateIsTooOldToKnow() {
      var bounds = new ClientTable.Bounds(30_000, 30_000, 32L << 20, 1_024, 2_048);
      var limits = new LogSettings.Limits(1 << 20, bounds, 5_000, 2_000, 65_536, 32L << 20, 8_192);
      ReplicasByHand group =
          new ReplicasByHand(
              new ReplicasByHand.Setup(3, id -> FAST, limits, id -> Numbers.instance()));
      for (int client = 1; client <= 20; client++) {
        send(group, client, 1, 0);
        group.run(5_000);
      }
      RequestId late = send(group, 99, 1, 600_000);
      group.run(100);
      assertThat(group.replies(late))
          .isNotEmpty()
          .allMatch(reply -> reply.answer().equals(LogAdmission.FORGOTTEN));
      RequestId next = send(group, 98, 1, 0);
      group.run(1);
      assertThat(byVotes(group, List.of(next))).isEqualTo(1);
    }

    @Test
    void areAnsweredThoughServersThrowWithOtherTexts() {
      ReplicasByHand group = group(3, FastEdgesTest::throwing);
      RequestId id = send(group, 1, 1, 0);
      group.run(1);
      Tally tally = new Tally();
      List<Long> voters = List.of();
      for (Reply reply : group.replies(id)) {
        assertThat(reply.answer()).isInstanceOf(Answer.Threw.class);
        voters = tally.add(reply, (OrderPart.Voted) reply.part());
      }
      assertThat(voters).hasSize(3);
    }

    /** One whose clock is wrong is served by the leader, and costs the others not all votes. */
    @Test
    void withAWrongClockCostOthersLittle() {
      assertThat(byVotesBeside(40)).isGreaterThan(300);
    }

    @Test
    void thatWriteOftenWithAWrongClockTurnVotesOff() {
      assertThat(byVotesBeside(3)).isLessThan(100);
    }

    /**
     * Of 400 updates, 40 a second, beside a client with a wrong clock that sends one of so many.
     */
    private long byVotesBeside(int every) {
      ReplicasByHand group = group(3, id -> Numbers.instance());
      List<RequestId> all = new ArrayList<>();
      for (int i = 1; i <= 400; i++) {
        all.add(send(group, 1, i, 0));
        group.run(12);
        if (i % every == 0) {
          send(group, 2, i, 1_500);
        }
        group.run(13);
      }
      assertThat(all).noneMatch(id -> group.replies(id).isEmpty());
      return byVotes(group, all);
    }
  }

  @Nested
  final class Collisions {
    @Test
    void areForgottenInTime() {
      ReplicasByHand group = group(3, id -> Numbers.instance());
      for (int i = 1; i <= 200; i++) {
        collide(group, i);
        group.run(50);
      }
      List<RequestId> all = new ArrayList<>();
      for (int i = 1; i <= 400; i++) {
        if (i % 100 == 0) {
          collide(group, 1_000 + i);
        }
        all.add(send(group, 1, i, 0));
        group.run(100);
      }
      assertThat(byVotes(group, all.subList(200, 400))).isGreaterThan(165);
    }

    private void collide(ReplicasByHand group, long sequence) {
      OrderPart now = group.partNow();
      Message.Update one = update(new RequestId(3, sequence), now, 0);
      Message.Update other = update(new RequestId(4, sequence), now, 0);
      for (long id : group.living()) {
        group.hears(id, id == group.leader() ? one : other);
        group.hears(id, id == group.leader() ? other : one);
      }
    }
  }

  @Nested
  final class Turns {
    /** More than a turn has room for waits at a follower when the next period begins. */
    @Test
    void areShortThoughMuchWaitsToBeVotedFor() {
      ReplicasByHand group = group(3, id -> Numbers.instance());
      long follower = group.living().stream().filter(id -> id != group.leader()).findAny().get();
      send(group, 1, 1, 1_500); // The leader proposes that, and opens another period later.
      group.run(3);
      for (int client = 0; client < 100; client++) {
        RequestId id = new RequestId(1_000 + client, 1);
        group.hears(follower, update(id, group.partNow(), 0));
      }
      for (int i = 0; i < 400; i++) {
        int before = votesOf(group, follower);
        group.run(1);
        assertThat(votesOf(group, follower) - before)
            .isLessThanOrEqualTo(LogRequests.VOTES_FOR_KEPT_MAX);
      }
      RequestId next = send(group, 1, 2, 0);
      group.run(1_000);
      assertThat(group.replies(next)).isNotEmpty();
    }

    private int votesOf(ReplicasByHand group, long replica) {
      return (int)
          group.toClients().stream()
              .filter(message -> message instanceof Reply reply && reply.replica() == replica)
              .count();
    }
  }
}
