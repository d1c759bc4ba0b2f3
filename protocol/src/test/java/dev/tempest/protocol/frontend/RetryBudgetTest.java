package dev.tempest.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.frontend.Requests.Settings;
import dev.tempest.protocol.order.Orders;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much is sent again, and how soon. */
final class RetryBudgetTest {
  private static final long SERVICE = 77;
  private static final long CLIENT = 4;
  private static final long MILLI = 1_000_000;
  private static final long RETRY_AFTER = 50 * MILLI;
  private static final int LEARNED_FROM = 200;
  private static final Answer DONE = new Answer.Returned(Bytes.EMPTY);

  private final Requests requests =
      new Requests(new Settings(CLIENT, List.of(1L, 2L, 3L)), Orders.routing());
  private long nowNanos = 1_700_000_000_000L * MILLI;
  private long lastTicket;

  RetryBudgetTest() {
    requests.step(new Event.Open(nowNanos, CLIENT, 1, 50, 1));
  }

  @Test
  void aFewAndOneForSoManyAnswers() {
    RetryBudget budget = new RetryBudget();
    assertThat(spendAll(budget)).isEqualTo(RetryBudget.SPARE);
    answered(budget, 3 * RetryBudget.ANSWERS_PER_RETRY);
    assertThat(spendAll(budget)).isEqualTo(3);
  }

  @Test
  void whenAReplicaStandsStillWhoeverWaitsForItAsksAnother() {
    RetryBudget budget = new RetryBudget();
    answered(budget, 5_000);
    nowNanos += RetryBudget.PERIOD_NANOS;
    assertThat(spendAll(budget)).isEqualTo(RetryBudget.SPARE + 500);
  }

  @Test
  void whatIsNotSpentIsNotSavedUpForLong() {
    RetryBudget budget = new RetryBudget();
    answered(budget, 5_000);
    nowNanos += 2 * RetryBudget.PERIOD_NANOS;
    assertThat(spendAll(budget)).isEqualTo(RetryBudget.SPARE);
  }

  @Test
  void withoutAnyAnswerAFewOfTwoPeriods() {
    RetryBudget budget = new RetryBudget();
    int spent = 0;
    for (int period = 0; period < 10; period++) {
      spent += spendAll(budget);
      nowNanos += RetryBudget.PERIOD_NANOS;
    }
    assertThat(spent).isEqualTo(5 * RetryBudget.SPARE);
  }

  @Test
  void whereAnswersAreFastALossIsMadeGoodSoon() {
    learnThatAnswersTake(MILLI);
    submit();
    assertThat(requests.nextTickNanos() - nowNanos).isBetween(2 * MILLI, 7 * MILLI);
    assertThat(sentAgainUntil(nowNanos + 10 * MILLI)).hasSize(1);
    assertThat(sentAgainUntil(nowNanos + 40 * MILLI)).isEmpty();
    assertThat(sentAgainUntil(nowNanos + RETRY_AFTER)).hasSize(1);
  }

  @Test
  void whenAllAnswersAreLateFewAreSentAgainBeforeTheUsualTime() {
    learnThatAnswersTake(MILLI);
    for (int i = 0; i < 1_000; i++) {
      submit();
    }
    long sentNanos = nowNanos;
    int few = RetryBudget.SPARE + LEARNED_FROM / RetryBudget.ANSWERS_PER_RETRY;
    assertThat(sentAgainUntil(sentNanos + RETRY_AFTER - 1)).hasSize(few);
    // From here on it does not matter how late all are: whoever is silent so long has to be asked.
    assertThat(sentAgainUntil(sentNanos + RETRY_AFTER)).hasSize(1_000 - few);
  }

  @Test
  void aLostAnswerOfAReplicaThatSaysOtherThingsDoesNotMakeItSilent() {
    learnThatAnswersTake(MILLI);
    Update lost = submit();
    for (int i = 0; i < 3; i++) {
      nowNanos += MILLI / 2;
      answer(submit(), 1, 2, 3);
    }
    assertThat(sentAgainUntil(nowNanos + 10 * MILLI))
        .singleElement()
        .matches(again -> again.id().equals(lost.id()));
    for (int i = 0; i < 20; i++) {
      Update next = submit();
      assertThat(next.attempt()).isZero();
      answer(next, 1);
    }
  }

  private int spendAll(RetryBudget budget) {
    int count = 0;
    while (count < 1_000 && budget.spend(nowNanos)) {
      count++;
    }
    return count;
  }

  private void answered(RetryBudget budget, int answers) {
    for (int answer = 0; answer < answers; answer++) {
      budget.answered(nowNanos);
    }
  }

  private void learnThatAnswersTake(long nanos) {
    for (int i = 0; i < LEARNED_FROM; i++) {
      Update update = submit();
      nowNanos += nanos;
      answer(update, 1);
    }
  }

  private Update submit() {
    Event submit =
        new Event.Submit(
            nowNanos,
            CLIENT,
            ++lastTicket,
            SERVICE,
            true,
            new Call(9, Bytes.EMPTY),
            nowNanos + 5_000 * MILLI,
            Reads.of(1),
            null);
    return updates(requests.step(submit)).getFirst();
  }

  private void answer(Update update, long... replicas) {
    for (long replica : replicas) {
      requests.step(
          new Event.Received(
              nowNanos, new Reply(SERVICE, update.id(), true, replica, OrderPart.NONE, 0, DONE)));
    }
  }

  private List<Update> sentAgainUntil(long untilNanos) {
    List<Update> again = new ArrayList<>();
    while (requests.nextTickNanos() <= untilNanos) {
      nowNanos = Math.max(nowNanos, requests.nextTickNanos());
      again.addAll(updates(requests.step(new Event.Tick(nowNanos))));
    }
    nowNanos = Math.max(nowNanos, untilNanos);
    return again;
  }

  private static List<Update> updates(List<Effect> effects) {
    List<Update> updates = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Multicast(long service, Message message)
          && message instanceof Update update) {
        updates.add(update);
      }
    }
    return updates;
  }
}
