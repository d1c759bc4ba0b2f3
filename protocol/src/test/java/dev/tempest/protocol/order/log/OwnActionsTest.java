package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Executed;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogMessage.Action;
import dev.tempest.wire.LogMessage.Asked;
import dev.tempest.wire.LogMessage.Certified;
import dev.tempest.wire.LogMessage.Offer;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The actions of a process that is a member of a group of three. */
final class OwnActionsTest {
  private static final long NOW = 1_000;
  private static final long LATER = 2_000;
  private static final String LACKING =
      "no majority of the members answered, and what this node has written before was given up";

  private final ServiceInstance service = Numbers.instance();
  private final Consensus log =
      new Consensus(
          new Group(3, Quorum.MAJORITY, 20, 100, false, Group.Leases.NONE, 10, 1_000), 1, 0);
  private final Executor executor =
      new Executor(3, service, false, LogSettings.Limits.USUAL, 1 << 20, 1);
  private final OwnActions actions = new OwnActions(3, service, log, executor, 20, 1 << 20, 7);
  private final List<Offer> offered = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();

  OwnActionsTest() {
    log.step(new Agreement.Event.Founded(NOW, new SlotEntry.Members(List.of(1L, 2L, 3L))));
  }

  /** Whoever is due for nothing keeps a processor busy. */
  @Test
  void whatNobodyCanBeOfferedWaitsUntilALeaderIsHeardOf() {
    act();
    look();
    assertThat(actions.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
    log.step(new Agreement.Event.Received(NOW, 1, new LogMessage.Prepare(new Ballot(1, 1))));
    look();
    assertThat(offered).hasSize(1);
  }

  /** It was late, and what it says was put into a log that another leader may have replaced. */
  @Test
  void whatALeaderSaysDoesNotCountOnceAnotherOneLeads() {
    Ballot first = new Ballot(1, 1);
    log.step(new Agreement.Event.Received(NOW, 1, new LogMessage.Prepare(first)));
    act();
    look();
    for (long now = NOW; now < LATER; now += 10) {
      log.step(new Agreement.Event.Tick(now));
    }
    log.step(new Agreement.Event.Received(LATER, 2, new LogMessage.Prepare(new Ballot(2, 2))));
    assertThat(log.ballot()).isNotEqualTo(first);
    long number = offered.getFirst().first();
    actions.received(new Certified(first, number, 0, new IntervalSet(), 0, ""));
    look();
    assertThat(effects).isEmpty();
  }

  /** Nobody else has written: what has seen the write that was given up is not to blame others. */
  @Test
  void whatFollowsAWriteThatNobodyHasAnsweredIsSaidToLackAMajority() {
    Stand before = actions.stand();
    act(1);
    act(2);
    actions.end(1, effects);
    actions.take(acted(3, before, Bytes.EMPTY), effects); // It was being executed meanwhile.
    assertThat(effects)
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo(decided(1, Effect.Decision.FAILED, "")),
            second -> assertThat(second).isEqualTo(decided(2, Effect.Decision.AGAIN, LACKING)),
            third -> assertThat(third).isEqualTo(decided(3, Effect.Decision.AGAIN, LACKING)));
  }

  private static Effect decided(long ticket, Effect.Decision decision, String why) {
    return new Effect.Decided(ticket, decision, why);
  }

  /** A connection that is busy with one copy has no time for others. */
  @Test
  void whatIsLargeOrWasSentBeforeHasMoreTime() {
    log.step(new Agreement.Event.Received(NOW, 1, new LogMessage.Prepare(new Ballot(1, 1))));
    act();
    assertThat(sentUntil(actions, 500)).isBetween(4, 6);
    OwnActions more = new OwnActions(3, service, log, executor, 20, 1 << 20, 7);
    act(more, Bytes.of(new byte[1 << 20]));
    offered.clear();
    assertThat(sentUntil(more, 500)).isEqualTo(2);
  }

  private int sentUntil(OwnActions of, long nanos) {
    for (long now = NOW; now < NOW + nanos; now++) {
      of.look(true, now, (leader, offer) -> offered.add(offer), effects);
    }
    return offered.size();
  }

  @Test
  void whatAnotherLeaderHasNotTakenOverIsSaidToBeRefusedForThat() {
    log.step(new Agreement.Event.Received(NOW, 1, new LogMessage.Prepare(new Ballot(1, 1))));
    act();
    look();
    actions.committed(new SlotEntry.Begun(new Ballot(2, 2)));
    look();
    assertThat(effects)
        .containsExactly(
            new Effect.Decided(
                1, Effect.Decision.AGAIN, "another member has begun to lead meanwhile"));
  }

  @Test
  void whyAChangeCannotBeAppliedIsSaidToPeople() {
    ByteWriter writer = new ByteWriter(100);
    writer.writeByte(99);
    Action unreadable = new Action(Bytes.EMPTY, writer.toBytes(), null);
    String why = executor.offer(new RequestId(3, 1), 0, unreadable, NOW, proposed -> {});
    assertThat(why).startsWith("no change: ");
  }

  /** A late answer to an earlier life would count for this one. */
  @Test
  void eachLifeNumbersItsActionsAnew() {
    log.step(new Agreement.Event.Received(NOW, 1, new LogMessage.Prepare(new Ballot(1, 1))));
    act();
    look();
    OwnActions next = new OwnActions(3, service, log, executor, 20, 1 << 20, 8);
    act(next, Bytes.EMPTY);
    next.look(true, NOW, (leader, offer) -> offered.add(offer), effects);
    assertThat(offered).extracting(Offer::first).doesNotHaveDuplicates().hasSize(2);
  }

  /** It saw what this process came to, and the leader came to something else. */
  @Test
  void whatFollowsAnUpdateThatTheLeaderExecutedItselfIsExecutedAgain() {
    executeWithLeader(Bytes.of((byte) 7));
    assertThat(effects).containsExactly(new Effect.Decided(1, Effect.Decision.AGAIN, ""));
  }

  @Test
  void whatTheLeaderCameToAsWellCountsForWhatFollows() {
    executeWithLeader(Bytes.EMPTY);
    assertThat(effects).isEmpty();
    assertThat(offered).hasSize(2);
  }

  /** An update is offered, and an action follows it; both executed it, and the leader's counts. */
  private void executeWithLeader(Bytes leaderWrote) {
    Ballot ballot = new Ballot(1, 1);
    log.step(new Agreement.Event.Received(NOW, 1, new LogMessage.Prepare(ballot)));
    RequestId id = new RequestId(77, 1);
    Answer answer = new Answer.Returned(Bytes.EMPTY);
    Action update = new Action(Bytes.EMPTY, Bytes.EMPTY, new Asked(id, NOW, 0, answer));
    actions.take(new Apart(update, actions.stand().version()), id);
    look();
    act();
    actions.committed(new SlotEntry.Proposed(id, NOW, 0, new Executed(8, leaderWrote, answer)));
    long number = offered.getFirst().first();
    actions.received(new Certified(ballot, number, 0, IntervalSet.of(number, number), 0, ""));
    look();
  }

  private void act() {
    act(actions, Bytes.EMPTY);
  }

  private void act(long ticket) {
    actions.take(acted(ticket, actions.stand(), Bytes.EMPTY), effects);
  }

  private void act(OwnActions at, Bytes change) {
    at.take(acted(1, at.stand(), change), effects);
  }

  private static Event.Acted acted(long ticket, Stand stand, Bytes change) {
    ByteWriter footprint = new ByteWriter(100);
    Footprint.EVERYTHING.write(footprint);
    return new Event.Acted(NOW, ticket, stand, footprint.toBytes(), change, stand.version());
  }

  private void look() {
    actions.look(true, NOW, (leader, offer) -> offered.add(offer), effects);
  }
}
