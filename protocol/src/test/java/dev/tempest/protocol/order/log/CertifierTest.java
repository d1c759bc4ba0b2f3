package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Call;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.LogMessage.Action;
import dev.tempest.wire.LogMessage.Asked;
import dev.tempest.wire.LogMessage.Certified;
import dev.tempest.wire.LogMessage.Offer;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A leader, alone in its group, to whom others offer actions. */
final class CertifierTest {
  private static final long MILLI = 1_000_000;
  private static final Action READS_ALL = action(Footprint.EVERYTHING, Bytes.EMPTY);

  private final ServiceInstance service = Numbers.instance();
  private final Consensus log =
      new Consensus(
          new Group(
              1, Quorum.MAJORITY, 20 * MILLI, 100 * MILLI, false, Group.Leases.NONE, 64, 48 << 10),
          1,
          0);
  private final Executor executor =
      new Executor(1, service, false, LogSettings.Limits.USUAL, 1 << 20, 1);
  private final Certifier certifier = new Certifier(service, log, executor);
  private final long base;

  CertifierTest() {
    log.step(new Event.Founded(0, new SlotEntry.Members(List.of(1L))));
    for (long now = 0; !log.serves(); now++) {
      log.step(new Event.Tick(now * MILLI));
    }
    base = log.length();
  }

  @Test
  void whatNobodyHasChangedIsPutIntoTheLog() {
    assertThat(offer(2, 1, writes()).refused().isEmpty()).isTrue();
    assertThat(log.length()).isEqualTo(base + 1);
  }

  @Test
  void whatAnotherOneHasChangedIsRefusedAndSoIsWhatSawItFail() {
    offer(2, 1, writes());
    Action reader = action(written(writes()), writes().change());
    Certified answer = offer(3, 1, reader, reader, action(Footprint.NONE, Bytes.EMPTY));
    assertThat(answer.refused()).isEqualTo(IntervalSet.of(1, 2));
    assertThat(answer.failed()).isZero();
  }

  /** It has written nothing, which is not something that cannot be read. */
  @Test
  void nobodyComplainsOfReadsThatAreRefused() {
    offer(2, 1, writes());
    assertThat(offer(3, 1, READS_ALL).refused()).isEqualTo(IntervalSet.of(1, 1));
    assertThat(service.takeComplaint()).isNull();
  }

  @Test
  void whatIsOfferedTwiceStandsThereOnce() {
    Certified answer = offer(2, 1, writes());
    assertThat(offer(2, 1, writes())).isEqualTo(answer);
    assertThat(log.length()).isEqualTo(base + 1);
  }

  /** It touches nothing that could have changed. */
  @Test
  void anUpdateThatTwoReplicasHaveExecutedStandsThereOnce() {
    Action update = asked(new RequestId(77, 5));
    assertThat(offer(2, 1, update).refused().isEmpty()).isTrue();
    assertThat(offer(3, 1, update).refused()).isEqualTo(IntervalSet.of(1, 1));
    assertThat(log.length()).isEqualTo(base + 1);
  }

  /** Others may have led meanwhile, and then it is not committed. */
  @Test
  void whatOnlyReadsTakesASlot() {
    assertThat(offer(2, 1, READS_ALL).through()).isEqualTo(base + 1);
  }

  /** It can be executed again, though something else of the same offer cannot be. */
  @Test
  void whatHasOnlyChangedIsNotTakenForWhatCanNeverBeApplied() {
    offer(2, 1, writes());
    Action nonsense = action(Footprint.NONE, Bytes.of(new byte[] {99}));
    Certified answer = offer(3, 1, nonsense, READS_ALL);
    assertThat(answer.refused()).isEqualTo(IntervalSet.of(1, 2));
    assertThat(answer.failed()).isEqualTo(1);
    assertThat(answer.why()).contains("unknown layout");
  }

  /** Another release has written it, and whoever has seen that has seen what does not count. */
  @Test
  void whoHasSeenWhatCannotBeReadHereIsRefused() {
    Action nonsense = action(Footprint.NONE, Bytes.of(new byte[] {99}));
    Action reader = action(written(writes()), writes().change());
    Certified answer = offer(2, 1, nonsense, reader);
    assertThat(answer.refused()).isEqualTo(IntervalSet.of(1, 2));
    assertThat(log.length()).isEqualTo(base);
  }

  private Footprint written(Action action) {
    return Objects.requireNonNull(service.footprint(action.change()));
  }

  /** Where all execute, and another member has {@code execute: any} already. */
  @Test
  void whatTheLeaderLetsAllExecuteIsNotOverwritten() {
    offer(2, 1, READS_ALL);
    Call call = new Call(Numbers.NEXT.number(), Numbers.NEXT.encode(new Object[0]));
    executes(new SlotEntry.Called(new RequestId(77, 5), 0, 0, call, 0));
    assertThat(offer(2, 2, READS_ALL).refused()).isEqualTo(IntervalSet.of(2, 2));
  }

  @Test
  void aClientForWhichThereIsNoRoomGetsNone() {
    var nobody = new ClientTable.Bounds(1, 1, 0, 1, 1);
    var limits = new LogSettings.Limits(1 << 20, nobody, 0, 10_000, 1, 1, 1);
    Executor full = new Executor(1, service, false, limits, 1 << 20, 1);
    Certifier narrow = new Certifier(service, log, full);
    Offer offer = new Offer(log.ballot(), 1, base, List.of(asked(new RequestId(77, 5))));
    Certified answer = Objects.requireNonNull(narrow.take(2, offer, 0, this::propose));
    assertThat(answer.refused()).isEqualTo(IntervalSet.of(1, 1));
  }

  private void executes(SlotEntry entry) {
    certifier.proposes(entry);
    propose(entry);
  }

  @Test
  void whatIsForAnotherLeaderIsNotAnswered() {
    Ballot later = log.ballot().next(4);
    assertThat(certifier.take(2, new Offer(later, 1, base, List.of(READS_ALL)), 0, this::propose))
        .isNull();
  }

  private Certified offer(long from, long first, Action... actions) {
    Offer offer = new Offer(log.ballot(), first, base, List.of(actions));
    return Objects.requireNonNull(certifier.take(from, offer, 0, this::propose));
  }

  private void propose(SlotEntry entry) {
    log.step(new Event.Propose(1_000 * MILLI, entry));
  }

  /** One that asks for the first number. */
  private Action writes() {
    ByteWriter writer = new ByteWriter(1_000);
    Bytes nothing = Numbers.NEXT.encode(new Object[0]);
    var unused =
        service.execute(service.emptyVersion(), Numbers.NEXT.number(), nothing, 0, 1, writer);
    return action(Footprint.NONE, writer.toBytes());
  }

  private static Action asked(RequestId id) {
    Asked update = new Asked(id, Stamp.atMillis(1_000), 0, new Answer.Returned(Bytes.EMPTY));
    return new Action(action(Footprint.NONE, Bytes.EMPTY).footprint(), Bytes.EMPTY, update);
  }

  private static Action action(Footprint touched, Bytes change) {
    ByteWriter writer = new ByteWriter(1_000);
    touched.write(writer);
    return new Action(writer.toBytes(), change, null);
  }
}
