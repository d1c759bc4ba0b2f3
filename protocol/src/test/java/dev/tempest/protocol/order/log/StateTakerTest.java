package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage.StatePart;
import dev.tempest.wire.LogMessage.StateWish;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Piece;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a replica that deviates takes a state of its leader, which has a later one soon. */
final class StateTakerTest {
  private static final int PIECE_BYTES = 1_000;
  private static final long LATER_NANOS = 1_000_000_000;
  private static final Ballot FIRST = new Ballot(1, 1);
  private static final Ballot SECOND = new Ballot(2, 2);

  private final ServiceInstance service = Numbers.instance();
  private final StateTaker taker = new StateTaker(service, PIECE_BYTES);

  /** What it says beside what it asks for. */
  private final List<Effect> said = new ArrayList<>();

  /** After so many updates, one in each slot. */
  private LogState state(long slots) {
    Version version = service.emptyVersion();
    ClientTable.Edit clients = ClientTable.EMPTY.edit();
    for (long slot = 0; slot < slots; slot++) {
      Bytes none = Numbers.NEXT.encode(new Object[0]);
      ByteWriter writer = new ByteWriter(PIECE_BYTES);
      version = service.execute(version, Numbers.NEXT.number(), none, 0, 0, writer).after();
      clients.asked(new RequestId(7, slot + 1), slot, new Answer.Returned(Bytes.EMPTY), 0);
    }
    LogPoint point = new LogPoint(slots, List.of(1L, 2L, 3L), slots, slots, slots);
    return new LogState(
        point, new Applied(version, clients.done(slots, LogSettings.Limits.USUAL.clients())));
  }

  private StateWish wish(Ballot leader, long nowNanos) {
    return Objects.requireNonNull(
        taker.wantsOneFrom(3, leader, service.emptyVersion(), nowNanos), "it asks");
  }

  private StatePart part(LogState given, StateWish asked) {
    return new StatePart(given.point(), piece(given, asked.wish()));
  }

  private Piece piece(LogState given, Wish wish) {
    if (wish instanceof Wish.OfVersion(Bytes bytes)) {
      return new Piece.OfVersion(service.piece(given.applied().version(), bytes, PIECE_BYTES));
    }
    ClientTable.Page page = given.applied().clients().page(0, PIECE_BYTES);
    return new Piece.OfClients(0, page.records(), page.nextFrom(), 0, 0);
  }

  private void takeAll(LogState given, StateWish first, long nowNanos) {
    for (@Nullable StateWish wish = first; wish != null; ) {
      wish = taker.take(part(given, wish), true, nowNanos, said);
    }
  }

  private void assertIsTaken(LogState given) {
    LogState taken = Objects.requireNonNull(taker.taken());
    assertThat(taken.point()).isEqualTo(given.point());
    assertThat(taken.applied().version()).isEqualTo(given.applied().version());
    assertThat(taken.applied().clients().contains(new RequestId(7, given.point().slot()))).isTrue();
  }

  @Test
  void whoHasALaterStateGivesThat() {
    takeAll(state(5), wish(FIRST, 0), 0);
    assertIsTaken(state(5));
  }

  /** Else what it has would lack updates whose clients it takes for answered. */
  @Test
  void aVersionDoesNotGoWithTheClientsOfALaterState() {
    StateWish clients =
        Objects.requireNonNull(
            taker.take(part(state(3), wish(FIRST, 0)), true, 0, said), "it goes on");
    assertThat(clients.wish()).isInstanceOf(Wish.OfClients.class);
    assertThat(taker.take(part(state(5), clients), true, 0, said)).isNull();
    assertThat(taker.taken()).isNull();
    takeAll(state(5), wish(FIRST, LATER_NANOS), LATER_NANOS);
    assertIsTaken(state(5));
  }

  @Test
  void saysThatMoreHasComeOnlyIfItHas() {
    StateWish first = wish(FIRST, 0);
    assertThat(taker.cameOn(0)).isFalse();
    StatePart part = part(state(3), first);
    taker.take(part, true, 0, said);
    assertThat(taker.cameOn(0)).isTrue();
    taker.take(part, true, 0, said);
    assertThat(taker.cameOn(0)).as("it is the same piece").isFalse();
    assertThat(taker.cameOn(1)).as("the log has come on").isTrue();
    assertThat(taker.cameOn(1)).isFalse();
  }

  /** Another release has another layout, say: whoever waits is to know why nothing comes. */
  @Test
  void whatCannotBeReadIsSaid() {
    wish(FIRST, 0);
    Piece unreadable = new Piece.OfVersion(Bytes.of((byte) 7));
    assertThat(taker.take(new StatePart(state(3).point(), unreadable), true, 0, said)).isNull();
    assertThat(said)
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Hindered.class,
            hindered ->
                assertThat(hindered.why()).startsWith("what its leader gives of it cannot"));
    assertThat(wish(FIRST, LATER_NANOS).wish()).as("asks again").isInstanceOf(Wish.OfVersion.class);
  }

  @Test
  void anotherLeaderIsAskedForAllOfItsState() {
    taker.take(part(state(4), wish(FIRST, 0)), true, 0, said);
    StateWish anew = wish(SECOND, 0);
    assertThat(anew.wish()).isInstanceOf(Wish.OfVersion.class);
    takeAll(state(4), anew, 0);
    assertIsTaken(state(4));
  }
}
