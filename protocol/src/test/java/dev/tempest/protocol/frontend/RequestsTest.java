package dev.tempest.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.frontend.Requests.Settings;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestsTest {
  private static final long SERVICE = 77;
  private static final long CLIENT = 4;
  private static final List<Long> REPLICAS = List.of(1L, 2L, 3L);
  private static final Call CALL = new Call(9, Bytes.EMPTY);
  private static final Answer DONE = new Answer.Returned(Bytes.of((byte) 1));
  private static final long MILLI = 1_000_000;
  private static final long START = 1_700_000_000_000L * MILLI;
  private static final long DEADLINE = START + 1_000 * MILLI;

  @Test
  void anUpdateGoesToAllAndCompletesWithTheFirstReply() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    assertThat(update.id()).isEqualTo(new RequestId(CLIENT, 1));
    assertThat(Stamp.millis(Stamp.of(update.part()))).isEqualTo(START / MILLI);
    assertThat(requests.step(reply(update, 2, DONE)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(DONE)));
    assertThat(requests.step(reply(update, 3, DONE))).isEmpty();
    assertThat(requests.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void withTwoAcksTwoDifferentReplicasHaveToReply() {
    Requests requests = requests(2);
    Update update = update(requests.step(submit(1, true)));
    assertThat(update.acks()).isEqualTo(2);
    assertThat(requests.step(reply(update, 2, DONE))).isEmpty();
    assertThat(requests.step(reply(update, 2, DONE))).isEmpty();
    assertThat(requests.step(reply(update, 99, DONE))).isEmpty();
    assertThat(requests.step(reply(update, 1, DONE))).hasSize(1);
  }

  @Test
  void aReplicaWithoutMemoryAcknowledgesNothingBesideOneThatExecuted() {
    Answer outOfMemory = new Answer.Threw(OutOfMemoryError.class.getName(), "heap");
    Requests requests = requests(2);
    Update update = update(requests.step(submit(1, true)));
    assertThat(requests.step(reply(update, 1, outOfMemory))).isEmpty();
    assertThat(requests.step(reply(update, 2, DONE))).isEmpty();
    assertThat(requests.step(reply(update, 3, DONE)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(DONE)));

    Update executedFirst = update(requests.step(submit(3, true)));
    assertThat(requests.step(reply(executedFirst, 1, DONE))).isEmpty();
    assertThat(requests.step(reply(executedFirst, 2, outOfMemory))).isEmpty();
    assertThat(requests.step(reply(executedFirst, 3, DONE))).hasSize(1);

    Update everywhere = update(requests.step(submit(2, true)));
    assertThat(requests.step(reply(everywhere, 1, outOfMemory))).isEmpty();
    assertThat(requests.step(reply(everywhere, 2, outOfMemory))).hasSize(1);
  }

  @Test
  void whoKnowsThatItCannotBeSaysSoThoughOthersAreSilent() {
    Answer.Refused refusal = new Answer.Refused(Answer.Reason.BAD_ARGUMENTS, "too deep");
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    requests.step(reply(update, 1, refusal));
    requests.step(reply(update, 2, new Answer.Refused(Answer.Reason.UNKNOWN_SERVICE, "others")));
    List<Effect> last = List.of();
    while (last.stream().noneMatch(Effect.Complete.class::isInstance)) {
      last = requests.step(new Event.Tick(requests.nextTickNanos()));
    }
    assertThat(last)
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Complete.class,
            end ->
                assertThat(end.completion())
                    .isInstanceOfSatisfying(
                        Completion.Unknown.class,
                        unknown -> assertThat(unknown.refusal()).isEqualTo(refusal)));
  }

  @Test
  void aRetryKeepsIdAndStampAndTheDeadlineEndsIt() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    List<Update> sent = new ArrayList<>();
    List<Effect> end = new ArrayList<>();
    while (end.isEmpty()) {
      for (Effect effect : requests.step(new Event.Tick(requests.nextTickNanos()))) {
        if (effect instanceof Effect.Multicast(var service, Update again)) {
          sent.add(again);
        } else {
          end.add(effect);
        }
      }
    }
    assertThat(sent).hasSizeGreaterThan(3);
    assertThat(sent)
        .allMatch(again -> again.id().equals(first.id()) && again.part().equals(first.part()));
    assertThat(sent.getFirst().attempt()).isEqualTo(1);
    assertThat(end)
        .containsExactly(new Effect.Complete(1, new Completion.Unknown(sent.size() + 1, null)));
  }

  @Test
  void whatIsCancelledIsNeitherSentAgainNorCompleted() {
    Requests requests = requests(1);
    Update cancelled = update(requests.step(submit(1, true)));
    Read read = read(requests.step(submit(2, false)));
    Update kept = update(requests.step(submit(3, true)));

    assertThat(requests.step(new Event.Cancel(START, CLIENT, 1))).isEmpty();
    assertThat(requests.step(new Event.Cancel(START, CLIENT, 2))).isEmpty();
    assertThat(requests.step(new Event.Cancel(START, CLIENT, 99))).isEmpty();
    assertThat(requests.step(reply(cancelled, 1, DONE))).isEmpty();
    assertThat(requests.step(new Event.Tick(requests.nextTickNanos()))).hasSize(1);
    assertThat(requests.step(reply(kept, 1, DONE))).hasSize(1);
    assertThat(requests.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(update(requests.step(submit(4, true))).answeredBelow()).isEqualTo(3);
    assertThat(read(requests.step(submit(5, false))).id().sequence())
        .isEqualTo(read.id().sequence() + 1);
  }

  @Test
  void aReadGoesToOneReplicaAndThenToTheNext() {
    Requests requests = requests(1);
    List<Long> asked = new ArrayList<>();
    List<Effect> effects = requests.step(submit(1, false));
    effects.removeFirst(); // A beacon: nobody answers it.
    for (int attempt = 0; attempt < 3; attempt++) {
      if (effects.getFirst() instanceof Effect.Send(var replica, Read read)) {
        asked.add(replica);
        assertThat(Rendezvous.rank(read.id(), replica, REPLICAS)).isEqualTo(attempt);
      }
      effects = requests.step(new Event.Tick(requests.nextTickNanos()));
    }
    assertThat(asked).containsExactlyInAnyOrderElementsOf(REPLICAS);
  }

  @Test
  void aSilentReplicaIsNotWaitedForAgainUntilItIsHeard() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    long silent = Rendezvous.ranked(first.id(), REPLICAS).getFirst();
    requests.step(new Event.Tick(requests.nextTickNanos()));
    for (int ticket = 2; ticket < 50; ticket++) {
      Update next = update(requests.step(submit(ticket, true)));
      boolean silentFirst = Rendezvous.rank(next.id(), silent, REPLICAS) == 0;
      assertThat(next.attempt()).isEqualTo(silentFirst ? 1 : 0);
      assertThat(requests.step(submit(1_000 + ticket, false)).getLast())
          .matches(effect -> effect instanceof Effect.Send(long to, var read) && to != silent);
    }
    requests.step(reply(first, silent, DONE));
    for (int ticket = 50; ticket < 100; ticket++) {
      assertThat(update(requests.step(submit(ticket, true))).attempt()).isZero();
    }
  }

  @Test
  void updatesAndReadsAreNumberedApart() {
    Requests requests = requests(1);
    update(requests.step(submit(1, true)));
    requests.step(submit(2, false));
    Update second = update(requests.step(submit(3, true)));
    assertThat(second.id().sequence()).isEqualTo(2);
    assertThat(second.answeredBelow()).isEqualTo(1);
  }

  @Test
  void saysWhichAnswersItHas() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    Update second = update(requests.step(submit(2, true)));
    requests.step(reply(second, 1, DONE));
    assertThat(update(requests.step(submit(3, true))).answeredBelow()).isEqualTo(1);
    requests.step(reply(first, 1, DONE));
    assertThat(update(requests.step(submit(4, true))).answeredBelow()).isEqualTo(3);
  }

  @Test
  void anExpiredStampIsMadeAnewByTheReplicasClockOncePerAttempt() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    Answer expired = new Answer.Refused(Reason.STAMP_EXPIRED, "");
    long ahead = Stamp.atNanos(START + 60_000 * MILLI);
    Update again = update(requests.step(reply(first, 1, expired, ahead)));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(Stamp.millis(Stamp.of(again.part()))).isEqualTo(Stamp.millis(ahead));
    assertThat(requests.step(reply(first, 2, expired, ahead))).asString().doesNotContain("Update");
    // Later requests are stamped right the first time.
    Update next = update(requests.step(submit(2, true)));
    assertThat(Stamp.of(next.part())).isGreaterThan(Stamp.of(again.part()));
  }

  @Test
  void aStampTooFarAheadComesBackToTheReplicasClock() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    long behind = Stamp.atNanos(START - 60_000 * MILLI);
    Answer ahead = new Answer.Refused(Reason.STAMP_AHEAD, "");
    Update again = update(requests.step(reply(first, 1, ahead, behind)));
    assertThat(Stamp.millis(Stamp.of(again.part()))).isEqualTo(Stamp.millis(behind));
  }

  @Test
  void whatIsAskedAfterAnAnswerCountsAfterAllThatItsReplicaHadExecuted() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    long executed = Stamp.atNanos(START + 4_000 * MILLI) + 7;
    requests.step(reply(first, 1, DONE, executed));
    assertThat(Stamp.of(update(requests.step(submit(2, true))).part())).isGreaterThan(executed);
  }

  @Test
  void aClockFarAheadIsNotFollowed() {
    Requests requests = requests(1);
    Update first = update(requests.step(submit(1, true)));
    requests.step(reply(first, 1, DONE, Stamp.atNanos(START + 60_000 * MILLI)));
    Update second = update(requests.step(submit(2, true)));
    assertThat(Stamp.millis(Stamp.of(second.part()))).isEqualTo(START / MILLI);
  }

  /** Where one replica executes, what it executed has a stamp of its own. */
  @Test
  void whoeverTakesTheHandleOfAnUpdateIsStampedAboveItsExecution() {
    Requests requests = requests(1);
    Event.Submit submit =
        new Event.Submit(
            START, CLIENT, 1, SERVICE, true, CALL, DEADLINE, Reads.of(1), Seen.NOTHING);
    long executed = Stamp.atNanos(START + 500 * MILLI);
    List<Effect> effects = requests.step(reply(update(requests.step(submit)), 1, DONE, executed));
    assertThat(effects.getFirst())
        .isInstanceOfSatisfying(
            Effect.Saw.class,
            saw -> assertThat(((SeenByTime) saw.seen()).stamp()).isGreaterThanOrEqualTo(executed));
  }

  private static final Answer LACKS_IT = new Answer.Refused(Reason.UNKNOWN_METHOD, "no method 9");

  /** Some may run newer code. */
  @Test
  void aMethodThatOneReplicaLacksIsAskedOfTheOthersAtOnce() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    Update second = update(requests.step(reply(update, 1, LACKS_IT)));
    assertThat(second.id()).isEqualTo(update.id());
    assertThat(second.attempt()).isEqualTo(1);
    assertThat(requests.step(reply(second, 1, LACKS_IT))).isEmpty();
    assertThat(requests.step(reply(second, 2, DONE)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(DONE)));
  }

  /** Who has not spoken may have executed it. */
  @Test
  void aMethodIsUnknownOnceAllReplicasLackIt() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    requests.step(reply(update, 1, LACKS_IT));
    requests.step(reply(update, 1, LACKS_IT));
    Update third = update(requests.step(reply(update, 2, LACKS_IT)));
    assertThat(third.attempt()).isEqualTo(2);
    requests.step(reply(third, 1, LACKS_IT));
    requests.step(reply(third, 2, LACKS_IT));
    assertThat(requests.step(reply(third, 3, LACKS_IT)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(LACKS_IT)));
  }

  @Test
  void aReadThatOneReplicaLacksIsAskedOfTheOthers() {
    Requests requests = requests(1);
    Read read = read(requests.step(submit(1, false)));
    assertThat(requests.step(answerTo(read, 1, LACKS_IT)))
        .noneMatch(Effect.Complete.class::isInstance);
    assertThat(requests.step(answerTo(read, 2, DONE)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(DONE)));
  }

  private static Answer hosts(String names) {
    return new Answer.Refused(Reason.UNKNOWN_SERVICE, names);
  }

  @Test
  void aReplicaThatDoesNotHostTheServiceLeavesAnUpdateToTheOthers() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    assertThat(requests.step(reply(update, 1, hosts("shop")))).isEmpty();
    assertThat(requests.step(reply(update, 3, hosts("shop")))).isEmpty();
    assertThat(requests.step(reply(update, 2, DONE)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(DONE)));
  }

  @Test
  void anUpdateThatNobodyHostsIsRefusedWithAllThatTheyHost() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    requests.step(reply(update, 1, hosts("shop, stock")));
    requests.step(reply(update, 3, hosts("")));
    assertThat(requests.step(reply(update, 2, hosts("shop"))))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(hosts("shop, stock"))));
  }

  @Test
  void aReadAsksOnUntilNobodyIsLeftThatMayHostTheService() {
    Requests requests = requests(1);
    List<Effect> effects = requests.step(submit(1, false));
    effects.removeFirst(); // A beacon: nobody answers it.
    List<Long> asked = new ArrayList<>();
    while (effects.getFirst() instanceof Effect.Send(var replica, Read read)) {
      asked.add(replica);
      effects = requests.step(refusal(read, replica, "shop"));
    }
    assertThat(asked).containsExactlyInAnyOrderElementsOf(REPLICAS);
    assertThat(effects)
        .containsExactly(new Effect.Complete(1, new Completion.Answered(hosts("shop"))));
  }

  @Test
  void whetherASilentReplicaHostsTheServiceIsNotKnown() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    List<Effect> effects = new ArrayList<>();
    while (requests.nextTickNanos() != Long.MAX_VALUE) {
      effects.addAll(requests.step(reply(update, 1, hosts("shop"))));
      effects.addAll(requests.step(reply(update, 3, hosts("shop"))));
      effects.addAll(requests.step(new Event.Tick(requests.nextTickNanos())));
    }
    assertThat(effects.getLast())
        .isInstanceOfSatisfying(
            Effect.Complete.class,
            end -> assertThat(end.completion()).isInstanceOf(Completion.Unknown.class));
  }

  @Test
  void whatOneThatIsGoneMayHaveExecutedIsNotRefused() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    requests.step(new Event.ReplicasChanged(START, List.of(1L, 2L), List.of(3L), List.of()));
    requests.step(reply(update, 1, hosts("shop")));
    assertThat(requests.step(reply(update, 2, hosts("shop")))).isEmpty();
  }

  @Test
  void whatOneHasExecutedIsNotRefused() {
    Requests requests = requests(2);
    Update update = update(requests.step(submit(1, true)));
    for (long replica : REPLICAS) {
      requests.step(reply(update, replica, replica == 1 ? DONE : hosts("shop")));
    }
    assertThat(requests.step(reply(update, 1, hosts("shop")))).isEmpty();
  }

  @Test
  void whoIsOnlyCalledOtherwiseNowIsNotGone() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    requests.step(new Event.ReplicasChanged(START, List.of(2L, 3L, 4L), List.of(), List.of()));
    requests.step(reply(update, 4, hosts("shop")));
    requests.step(reply(update, 2, hosts("shop")));
    assertThat(requests.step(reply(update, 3, hosts("shop"))))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(hosts("shop"))));
  }

  @Test
  void whatOneOfThoseWhoAreGoneRefusedIsRefused() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    requests.step(reply(update, 1, hosts("shop")));
    requests.step(new Event.ReplicasChanged(START, List.of(2L, 3L), List.of(1L), List.of()));
    requests.step(reply(update, 3, hosts("shop")));
    assertThat(requests.step(reply(update, 2, hosts("shop"))))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(hosts("shop"))));
  }

  private static Event answerTo(Read read, long replica, Answer answer) {
    return new Event.Received(
        START, new Message.Reply(SERVICE, read.id(), false, replica, OrderPart.NONE, 0, answer));
  }

  private static Event refusal(Read read, long replica, String hosted) {
    return new Event.Received(
        START, new Reply(SERVICE, read.id(), false, replica, OrderPart.NONE, 0, hosts(hosted)));
  }

  @Test
  void anExecutedRequestWhoseAnswerIsForgottenIsUnknown() {
    Requests requests = requests(1);
    Update update = update(requests.step(submit(1, true)));
    assertThat(requests.step(reply(update, 1, new Answer.Refused(Reason.RESULT_FORGOTTEN, ""))))
        .containsExactly(new Effect.Complete(1, new Completion.Unknown(1, null)));
  }

  @Test
  void tooManyRequestsOfOneFrontEndAreRefusedAtOnceAndNotThoseOfAnother() {
    Requests requests = requests(1);
    requests.step(new Event.Open(START, CLIENT + 1, 1, 50, 1));
    for (int ticket = 0; ticket < Requests.REQUESTS_MAX; ticket++) {
      requests.step(submit(ticket, true));
    }
    assertThat(requests.step(submit(100_000, false)))
        .singleElement()
        .matches(effect ->
            effect instanceof Effect.Complete(long ticket, Completion how)
                && how instanceof Completion.Answered(Answer.Refused refused)
                && refused.reason() == Reason.OVERLOADED);
    Update other = update(requests.step(submit(CLIENT + 1, 100_001, true)));
    assertThat(other.id()).isEqualTo(new RequestId(CLIENT + 1, 1));
  }

  @Test
  void frontEndsOfOneProcessNumberTheirUpdatesApartAndNoTwoStampsAreEqual() {
    Requests requests = requests(1);
    requests.step(new Event.Open(START, CLIENT + 1, 1, 50, 1));
    Update mine = update(requests.step(submit(1, true)));
    Update theirs = update(requests.step(submit(CLIENT + 1, 2, true)));
    assertThat(mine.id()).isEqualTo(new RequestId(CLIENT, 1));
    assertThat(theirs.id()).isEqualTo(new RequestId(CLIENT + 1, 1));
    assertThat(Stamp.of(theirs.part())).isGreaterThan(Stamp.of(mine.part()));
    assertThat(requests.step(reply(theirs, 1, DONE)))
        .containsExactly(new Effect.Complete(2, new Completion.Answered(DONE)));
    assertThat(requests.step(reply(mine, 1, DONE)))
        .containsExactly(new Effect.Complete(1, new Completion.Answered(DONE)));
  }

  @Test
  void closingAFrontEndEndsItsRequestsAndNoOthers() {
    Requests requests = requests(1);
    requests.step(new Event.Open(START, CLIENT + 1, 1, 50, 1));
    Update mine = update(requests.step(submit(1, true)));
    Update theirs = update(requests.step(submit(CLIENT + 1, 2, true)));
    assertThat(requests.step(new Event.Close(START, CLIENT)))
        .containsExactly(new Effect.Complete(1, new Completion.Closed()));
    assertThat(requests.step(reply(mine, 1, DONE))).isEmpty();
    assertThat(requests.step(submit(3, true)))
        .containsExactly(new Effect.Complete(3, new Completion.Closed()));
    assertThat(requests.step(reply(theirs, 1, DONE))).hasSize(1);
    assertThat(requests.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }

  private static Requests requests(int acks) {
    Requests requests = new Requests(new Settings(CLIENT, REPLICAS), Orders.routing());
    requests.step(new Event.Open(START, CLIENT, acks, 50, 1));
    return requests;
  }

  private static Event submit(long ticket, boolean update) {
    return submit(CLIENT, ticket, update);
  }

  private static Event submit(long client, long ticket, boolean update) {
    return new Event.Submit(
        START, client, ticket, SERVICE, update, CALL, DEADLINE, Reads.of(1), null);
  }

  private static Event reply(Update update, long replica, Answer answer) {
    return reply(update, replica, answer, Stamp.atNanos(START));
  }

  private static Event reply(Update update, long replica, Answer answer, long stamp) {
    return new Event.Received(
        START,
        new Reply(SERVICE, update.id(), true, replica, new OrderPart.Stamped(stamp), 0, answer));
  }

  private static Read read(List<Effect> effects) {
    return (Read) ((Effect.Send) effects.getLast()).message();
  }

  private static Update update(List<Effect> effects) {
    assertThat(effects).hasSize(1);
    if (effects.getFirst() instanceof Effect.Multicast(var service, Message message)
        && message instanceof Update update) {
      return update;
    }
    throw new AssertionError("no update in " + effects);
  }
}
