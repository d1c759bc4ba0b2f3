package dev.tempest.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.frontend.Requests.Settings;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Routing;
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
import java.util.List;
import org.junit.jupiter.api.Test;

/** Front-ends learn who the replicas are while they ask. */
final class ReplicasChangedTest {
  private static final long SERVICE = 77;
  private static final long CLIENT = 4;
  private static final long MILLI = 1_000_000;
  private static final long START = 1_700_000_000_000L * MILLI;
  private static final Call CALL = new Call(9, Bytes.EMPTY);
  private static final Answer DONE = new Answer.Returned(Bytes.of((byte) 1));

  private long nowNanos = START;

  @Test
  void whatIsAskedBeforeAReplicaIsKnownGoesToTheFirstThatAre() {
    Requests requests = requests(List.of());
    Update unheard = update(requests.step(submit(1, true)));
    assertThat(requests.step(submit(2, false))).isEmpty();
    List<Effect> effects =
        requests.step(new Event.ReplicasChanged(START, List.of(8L, 9L), List.of(), List.of()));
    Update update = update(effects.subList(0, 1));
    assertThat(update.id()).isEqualTo(unheard.id());
    Effect.Send read = (Effect.Send) effects.getLast();
    assertThat(requests.step(reply(update.id().sequence(), true, 9, DONE)))
        .containsExactly(completed(1));
    assertThat(requests.step(reply(((Read) read.message()).id().sequence(), false, 8, DONE)))
        .containsExactly(completed(2));
  }

  @Test
  void whatOnlyThoseWereAskedThatAreGoneIsAskedOthersUnderTheSameName() {
    Requests requests = requests(List.of(1L));
    Update update = update(requests.step(submit(1, true)));
    Update again = update(requests.step(changed(List.of(2L, 3L), 1)));
    assertThat(again.id()).isEqualTo(update.id());
    assertThat(again.part()).isEqualTo(update.part());
    assertThat(requests.step(reply(1, true, 1, DONE))).as("it is no replica any more").isEmpty();
    assertThat(requests.step(reply(1, true, 2, DONE))).containsExactly(completed(1));
  }

  @Test
  void whatSomebodyWasAskedWhoIsStillThereWaitsForThem() {
    Requests requests = requests(List.of(1L));
    requests.step(submit(1, true));
    assertThat(
            requests.step(new Event.ReplicasChanged(START, List.of(1L, 2L), List.of(), List.of())))
        .isEmpty();
    assertThat(requests.step(reply(1, true, 2, DONE))).containsExactly(completed(1));
  }

  @Test
  void moreAcksThanReplicasWaitForMoreReplicas() {
    Requests requests = new Requests(new Settings(CLIENT, List.of(1L)), routing());
    requests.step(new Event.Open(START, CLIENT, 2, 50, 1));
    requests.step(submit(1, true));
    assertThat(requests.step(reply(1, true, 1, DONE))).isEmpty();
    requests.step(new Event.ReplicasChanged(START, List.of(1L, 2L), List.of(), List.of()));
    assertThat(requests.step(reply(1, true, 2, DONE))).containsExactly(completed(1));
  }

  /** A process that restarts is another one, and does not know what its earlier life knew. */
  @Test
  void theAcksOfThoseWhoAreGoneDoNotCount() {
    Requests requests = new Requests(new Settings(CLIENT, List.of(1L, 2L)), routing());
    requests.step(new Event.Open(START, CLIENT, 2, 50, 1));
    requests.step(submit(1, true));
    assertThat(requests.step(reply(1, true, 1, DONE))).isEmpty();
    requests.step(changed(List.of(2L, 3L), 1));
    assertThat(requests.step(reply(1, true, 3, DONE))).isEmpty();
    assertThat(requests.step(reply(1, true, 2, DONE))).containsExactly(completed(1));
  }

  /** One that is gone may have executed it, and given it to others. */
  @Test
  void nobodyHasExecutedAnUpdateOnlyIfThoseWhoLeftSaySoToo() {
    Requests requests = requests(List.of(1L));
    requests.step(submit(1, true));
    requests.step(reply(1, true, 1, refused(Reason.OVERLOADED)));
    requests.step(changed(List.of(2L), 1));
    nowNanos += 5_000 * MILLI;
    assertThat(requests.step(reply(1, true, 2, refused(Reason.STAMP_EXPIRED))))
        .noneMatch(Effect.Complete.class::isInstance);
    assertThat(requests.step(reply(1, true, 2, refused(Reason.STAMP_EXPIRED))))
        .noneMatch(Effect.Complete.class::isInstance);
  }

  /** Until a replica has said its id, a guess stands for it. */
  @Test
  void whoIsKnownToHaveBeenThereAllTheTimeSpeaksForTheGuessThatStoodForIt() {
    Requests requests = requests(List.of(1L));
    requests.step(submit(1, true));
    requests.step(new Event.ReplicasChanged(START, List.of(2L), List.of(), List.of()));
    requests.step(reply(1, true, 2, refused(Reason.OVERLOADED)));
    nowNanos += 5_000 * MILLI;
    assertThat(requests.step(reply(1, true, 2, refused(Reason.STAMP_EXPIRED))))
        .as("another one may have executed it")
        .noneMatch(Effect.Complete.class::isInstance);
    requests.step(new Event.ReplicasChanged(START, List.of(2L), List.of(), List.of(1L)));
    assertThat(requests.step(reply(1, true, 2, refused(Reason.STAMP_EXPIRED))))
        .containsExactly(
            new Effect.Complete(1, new Completion.Answered(refused(Reason.OVERLOADED))));
  }

  @Test
  void whatNoReplicaUnderstandsEndsAtOnce() {
    Requests requests = requests(List.of(1L, 2L));
    requests.step(submit(1, true));
    requests.step(submit(2, false));

    assertThat(requests.step(new Event.NotUnderstood(START)))
        .containsExactly(
            new Effect.Complete(1, new Completion.Unknown(1, null)),
            new Effect.Complete(2, new Completion.Unknown(1, null)));
    assertThat(requests.step(reply(1, true, 1, DONE))).isEmpty();
    assertThat(requests.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
    requests.checkInvariants();
  }

  private static Event changed(List<Long> replicas, long gone) {
    return new Event.ReplicasChanged(START, replicas, List.of(gone), List.of());
  }

  private static Answer refused(Reason reason) {
    return new Answer.Refused(reason, "");
  }

  private static Effect completed(long ticket) {
    return new Effect.Complete(ticket, new Completion.Answered(DONE));
  }

  private static Requests requests(List<Long> replicas) {
    Requests requests = new Requests(new Settings(CLIENT, replicas), routing());
    requests.step(new Event.Open(START, CLIENT, 1, 50, 1));
    return requests;
  }

  private static Routing routing() {
    return Orders.routing();
  }

  private static Event submit(long ticket, boolean update) {
    return new Event.Submit(
        START, CLIENT, ticket, SERVICE, update, CALL, START + 60_000 * MILLI, Reads.of(1), null);
  }

  private Event reply(long sequence, boolean update, long replica, Answer answer) {
    OrderPart part = new OrderPart.Stamped((nowNanos / MILLI) << 16);
    return new Event.Received(
        nowNanos,
        new Reply(SERVICE, new RequestId(CLIENT, sequence), update, replica, part, 0, answer));
  }

  private static Update update(List<Effect> effects) {
    assertThat(effects).hasSize(1);
    if (effects.getFirst() instanceof Effect.Multicast(long service, Message message)
        && message instanceof Update update) {
      return update;
    }
    throw new AssertionError("no update: " + effects);
  }
}
