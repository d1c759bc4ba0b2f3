package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.frontend.Requests.Settings;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An update that replicas have no room for is not executed only if none of them ever will. */
final class RefusedUpdatesTest {
  private static final long SERVICE = 77;
  private static final long CLIENT = 4;
  private static final List<Long> REPLICAS = List.of(1L, 2L, 3L);
  private static final long MILLI = 1_000_000;
  private static final long START = 1_700_000_000_000L * MILLI;
  private static final long DEADLINE = START + 10_000 * MILLI;
  private static final Answer FULL = new Answer.Refused(Reason.OVERLOADED, "too much");
  private static final Answer EXPIRED = new Answer.Refused(Reason.STAMP_EXPIRED, "");
  private static final Answer DONE = new Answer.Returned(Bytes.of((byte) 1));

  private final Requests requests =
      new Requests(new Settings(CLIENT, REPLICAS), new RoutingByTime(Epochs.USUAL, 10_000));
  private final List<Update> sent = new ArrayList<>();
  private @Nullable Completion completion;
  private long nowNanos = START;

  RefusedUpdatesTest() {
    open(1);
  }

  @Test
  void endsAsNotExecutedOnceNobodyCanExecuteIt() {
    runWith(replica -> true);

    assertThat(completion).isEqualTo(new Completion.Answered(FULL));
    assertThat(nowNanos).isGreaterThan(START + 900 * MILLI).isLessThan(DEADLINE);
    assertThat(sent.getLast().attempt()).isGreaterThanOrEqualTo(REPLICAS.size());
  }

  @Test
  void endsAsUnknownIfOneReplicaSaysNothing() {
    runWith(replica -> replica != 2);

    assertThat(completion).isInstanceOf(Completion.Unknown.class);
    assertThat(nowNanos).isGreaterThanOrEqualTo(DEADLINE);
    assertThat(sent.stream().map(update -> Stamp.of(update.part())).distinct().count())
        .describedAs("room may be found later, for which stamps are made anew")
        .isGreaterThan(1);
    assertThat(sent.stream().map(update -> update.id()).distinct()).hasSize(1);
  }

  @Test
  void aRefusalThatWasUnderWayWhenTheStampWasMadeAnewProvesNothing() {
    submit();
    Update first = sent.getFirst();
    nowNanos = START + 1_200 * MILLI;
    reply(first, 1, EXPIRED, nowNanos); // Nobody is overloaded: stamped anew at once.
    reply(first, 1, FULL, nowNanos);
    for (long replica : REPLICAS) {
      reply(first, replica, EXPIRED, nowNanos);
    }

    assertThat(completion).isNull();
  }

  @Test
  void oneThatIsExecutedAfterAllIsAnswered() {
    submit();
    reply(sent.getFirst(), 1, FULL, nowNanos);
    reply(sent.getFirst(), 2, FULL, nowNanos);
    reply(sent.getFirst(), 3, FULL, nowNanos);
    assertThat(completion).isNull(); // A copy may be on its way still.
    reply(sent.getFirst(), 3, DONE, nowNanos);

    assertThat(completion).isEqualTo(new Completion.Answered(DONE));
  }

  /** A replica came back without its memory, maybe: then it says what is no longer true. */
  @Test
  void endsAsUnknownIfOneHasExecutedItWhateverAllSayLater() {
    open(2);
    submit();
    reply(sent.getFirst(), 1, DONE, nowNanos);
    refuse(replica -> true);

    assertThat(completion).isInstanceOf(Completion.Unknown.class);
  }

  private void open(int acks) {
    requests.step(new Event.Open(START, CLIENT, acks, 50, 1));
  }

  private void runWith(Predicate<Long> answers) {
    submit();
    refuse(answers);
  }

  /**
   * Replicas that never have room: those of which it is true answer, as often as they are asked.
   */
  private void refuse(Predicate<Long> answers) {
    int seen = 0;
    while (completion == null) {
      while (seen < sent.size() && completion == null) {
        Update update = sent.get(seen++);
        nowNanos += MILLI;
        for (long replica : REPLICAS) {
          if (answers.test(replica) && completion == null) {
            reply(update, replica, isExpired(update) ? EXPIRED : FULL, nowNanos);
          }
        }
      }
      if (completion == null) {
        nowNanos = Math.max(nowNanos, requests.nextTickNanos());
        perform(requests.step(new Event.Tick(nowNanos)));
      }
    }
  }

  private boolean isExpired(Update update) {
    return Epochs.USUAL.isClosed(Stamp.of(update.part()), Stamp.atNanos(nowNanos));
  }

  private void submit() {
    Call call = new Call(9, Bytes.EMPTY);
    perform(
        requests.step(
            new Event.Submit(START, CLIENT, 1, SERVICE, true, call, DEADLINE, Reads.of(1), null)));
  }

  private void reply(Update update, long replica, Answer answer, long replicaNanos) {
    Reply reply =
        new Reply(
            SERVICE,
            update.id(),
            true,
            replica,
            new OrderPart.Stamped(Stamp.atNanos(replicaNanos)),
            0,
            answer);
    perform(requests.step(new Event.Received(nowNanos, reply)));
  }

  private void perform(List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Multicast(var service, Update update) -> sent.add(update);
        case Effect.Multicast(var service, Message.Beacon beacon) -> {}
        case Effect.Complete(var ticket, var how) -> completion = how;
        default -> throw new AssertionError("unexpected: " + effect);
      }
    }
  }
}
