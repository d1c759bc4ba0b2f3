package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a replica has to have committed before it answers a read. */
final class QuorumReadsTest {
  private static final long AGAIN = 100;
  private static final Ballot BALLOT = new Ballot(1, 1);
  private static final Group GROUP =
      new Group(3, Quorum.MAJORITY, 20, 100, false, Group.Leases.NONE, 10, 1_000);

  private record Place() implements Address {}

  private record Asked(long to, LogMessage question) {}

  private final Consensus log = new Consensus(GROUP, 1, 0);
  private final QuorumReads reads = new QuorumReads(3, 100, 100, 0, AGAIN);
  private final List<Asked> asked = new ArrayList<>();
  private long now = 1_000;

  /** Follows a leader in a group of three. */
  QuorumReadsTest() {
    log.step(new Agreement.Event.Founded(now, new SlotEntry.Members(List.of(1L, 2L, 3L))));
    hears(new LogMessage.Prepare(BALLOT));
    hears(new LogMessage.Sync(BALLOT, 1, false, 2, 1, List.of(new SlotEntry.Begun(BALLOT))));
    accepts(2, 2);
  }

  private void hears(LogMessage.OfBallot message) {
    log.step(new Agreement.Event.Received(now, 1, message));
  }

  private void accepts(long from, long committed, SlotEntry... entries) {
    hears(new LogMessage.Accept(BALLOT, from, List.of(entries), committed, true));
  }

  private void add(long number) {
    assertThat(add(number, 0)).isTrue();
  }

  private boolean add(long number, int size) {
    Call call = new Call(1, Bytes.of(new byte[size]));
    return reads.add(
        new QuorumReads.Asked(new Place(), new Read(7, new RequestId(9, number), call), null));
  }

  private List<Long> look() {
    return reads.look(log, now, (to, question) -> asked.add(new Asked(to, question))).stream()
        .map(each -> ((QuorumReads.Asked) each).read().id().sequence())
        .toList();
  }

  private long takeNumber() {
    assertThat(asked).isNotEmpty();
    long number = ((LogMessage.LengthRequest) asked.getFirst().question).number();
    asked.clear();
    return number;
  }

  /** Whoever is due for nothing keeps a processor busy. */
  @Test
  void aReadThatIsTakenBackIsNotAskedForAgain() {
    QuorumReads.Own own = new QuorumReads.Own(1);
    reads.add(own);
    look();
    assertThat(reads.nextTickNanos()).isEqualTo(now + AGAIN / 10);
    assertThat(reads.remove(own)).isTrue();
    assertThat(reads.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aReadWaitsForWhatAMajorityHas() {
    add(1);
    assertThat(look()).isEmpty();
    reads.received(1, new LogMessage.Length(takeNumber(), 3));
    assertThat(look()).isEmpty();
    accepts(2, 3, new SlotEntry.Passed(1));
    assertThat(look()).containsExactly(1L);
    assertThat(reads.isEmpty()).isTrue();
  }

  @Test
  void onceIsEnoughForAllThatWait() {
    add(1);
    add(2);
    look();
    reads.received(2, new LogMessage.Length(takeNumber(), 2));
    assertThat(look()).containsExactly(1L, 2L);
  }

  /** What was committed after the question was sent, and before the read came, may lack in it. */
  @Test
  void whoComesAfterTheQuestionWaitsForTheNext() {
    add(1);
    look();
    long first = takeNumber();
    add(2);
    reads.received(2, new LogMessage.Length(first, 2));
    assertThat(look()).containsExactly(1L);
    reads.received(1, new LogMessage.Length(first, 2));
    assertThat(look()).isEmpty();
    reads.received(1, new LogMessage.Length(takeNumber(), 2));
    assertThat(look()).containsExactly(2L);
  }

  /** A majority of three need not meet one of five. */
  @Test
  void theLaterMembersAreAskedToo() {
    add(1);
    look();
    reads.received(1, new LogMessage.Length(takeNumber(), 3));
    accepts(2, 3, new SlotEntry.Members(List.of(1L, 2L, 3L, 4L)));
    assertThat(look()).isEmpty();
    assertThat(asked).extracting(Asked::to).containsExactly(1L, 2L);
    long second = ((LogMessage.LengthRequest) asked.getFirst().question).number();
    reads.received(1, new LogMessage.Length(second, 3));
    assertThat(look()).isEmpty();
    reads.received(2, new LogMessage.Length(second, 3));
    assertThat(look()).containsExactly(1L);
  }

  /** Each question takes a processor's time of whoever answers, and of who hears that. */
  @Test
  void noMoreAreAskedThanAreNeededUnlessTheyAreSlow() {
    add(1);
    look();
    assertThat(asked).extracting(Asked::to).containsExactly(1L);
    long number = takeNumber();
    now += AGAIN / 10;
    assertThat(look()).isEmpty();
    assertThat(asked).extracting(Asked::to).containsExactly(2L);
    assertThat(takeNumber()).isEqualTo(number);
    reads.received(2, new LogMessage.Length(number, 2));
    assertThat(look()).containsExactly(1L);
    add(2);
    look();
    assertThat(asked).extracting(Asked::to).as("who has answered").containsExactly(2L);
  }

  @Test
  void whoeverDoesNotAnswerIsAskedAgain() {
    add(1);
    look();
    takeNumber();
    now += AGAIN;
    look();
    reads.received(2, new LogMessage.Length(takeNumber(), 2));
    assertThat(look()).containsExactly(1L);
  }

  /** Else a log that grows faster than it is agreed on would keep reads for ever. */
  @Test
  void whatIsEnoughStaysSoWhenLogsGrow() {
    add(1);
    look();
    reads.received(1, new LogMessage.Length(takeNumber(), 3));
    assertThat(look()).isEmpty();
    now += AGAIN;
    assertThat(look()).isEmpty();
    reads.received(1, new LogMessage.Length(takeNumber(), 9));
    accepts(2, 3, new SlotEntry.Passed(1));
    assertThat(look()).containsExactly(1L);
  }

  @Test
  void whatOthersSayDoesNotCount() {
    add(1);
    look();
    long number = takeNumber();
    reads.received(4, new LogMessage.Length(number, 2));
    reads.received(1, new LogMessage.Length(number + 1, 2));
    assertThat(look()).isEmpty();
  }

  @Test
  void whatTakesTooMuchRoomIsRefusedUntilOthersAreAnswered() {
    assertThat(add(1, 60)).isTrue();
    look();
    assertThat(add(2, 60)).isFalse();
    assertThat(add(3, 40)).isTrue();
    reads.received(1, new LogMessage.Length(takeNumber(), 2));
    assertThat(look()).containsExactly(1L);
    assertThat(add(4, 60)).isTrue();
    assertThat(reads.end()).hasSize(2);
    assertThat(add(5, 100)).isTrue();
  }
}
