package dev.tempest.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When an update of a front-end begins that has many under way. */
final class TurnsTest {
  private static final long SERVICE = 77;
  private static final long CLIENT = 4;
  private static final Answer DONE = new Answer.Returned(Bytes.of((byte) 1));
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long DEADLINE = START + 1_000_000_000;

  private final Requests requests =
      new Requests(new Settings(CLIENT, List.of(1L, 2L, 3L)), Orders.routing());

  TurnsTest() {
    requests.step(new Event.Open(START, CLIENT, 1, 50, 1));
  }

  @Test
  void anUpdateWaitsForItsTurnWhileAsManyAreUnderWayAsReplicasKeepAnswersOf() {
    List<Update> sent = new ArrayList<>();
    for (int ticket = 0; ticket < Requests.UPDATES_MAX; ticket++) {
      sent.add(begun(ticket));
    }
    assertThat(requests.step(submit(5_000, true))).isEmpty();
    assertThat(requests.step(submit(5_001, true))).isEmpty();
    assertThat(requests.step(submit(5_002, false)).getLast()).isInstanceOf(Effect.Send.class);

    assertThat(requests.step(new Event.Cancel(START, CLIENT, 5_000))).isEmpty();
    List<Effect> turn = requests.step(reply(sent.getFirst()));
    assertThat(turn.getFirst()).isEqualTo(new Effect.Complete(0, new Completion.Answered(DONE)));
    Update next = update(turn.get(1));
    assertThat(next.id().sequence()).isEqualTo(Requests.UPDATES_MAX + 1);
    assertThat(requests.step(reply(next)))
        .containsExactly(new Effect.Complete(5_001, new Completion.Answered(DONE)));
  }

  /** Replicas keep the latest answers: that of the oldest update would not be among them. */
  @Test
  void noUpdateBeginsThatWouldMakeReplicasForgetTheAnswerOfAnOlderOne() {
    Update oldest = begun(0);
    for (int ticket = 1; ticket < Requests.UPDATES_MAX; ticket++) {
      requests.step(reply(begun(ticket)));
    }
    assertThat(requests.step(submit(5_000, true))).isEmpty();
    assertThat(requests.step(submit(5_001, true))).isEmpty();
    requests.checkInvariants();

    List<Effect> turns = requests.step(reply(oldest));
    assertThat(turns).hasSize(3);
    assertThat(update(turns.get(1)).id().sequence()).isEqualTo(Requests.UPDATES_MAX + 1);
    assertThat(update(turns.get(2)).answeredBelow()).isEqualTo(Requests.UPDATES_MAX + 1);
    requests.checkInvariants();
  }

  @Test
  void anUpdateWhoseTurnNeverComesWasNotExecuted() {
    for (int ticket = 0; ticket <= Requests.UPDATES_MAX; ticket++) {
      requests.step(submit(ticket, true));
    }
    List<Effect> end = requests.step(new Event.Tick(DEADLINE));
    assertThat(end)
        .filteredOn(effect ->
            effect instanceof Effect.Complete(long ticket, Completion how)
                && how instanceof Completion.Answered(Answer.Refused refused)
                && refused.reason() == Reason.OVERLOADED)
        .singleElement()
        .matches(effect -> ((Effect.Complete) effect).ticket() == Requests.UPDATES_MAX);
  }

  private Update begun(long ticket) {
    List<Effect> effects = requests.step(submit(ticket, true));
    assertThat(effects).hasSize(1);
    return update(effects.getFirst());
  }

  private static Event submit(long ticket, boolean update) {
    Call call = new Call(9, Bytes.EMPTY);
    return new Event.Submit(
        START, CLIENT, ticket, SERVICE, update, call, DEADLINE, Reads.of(1), null);
  }

  private static Event reply(Update update) {
    return new Event.Received(
        START, new Reply(SERVICE, update.id(), true, 1, Stamp.partAt(START), 0, DONE));
  }

  private static Update update(Effect effect) {
    return (Update) ((Effect.Multicast) effect).message();
  }
}
