package dev.tempest.protocol.order.log;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.LatestWrites;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Executed;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.LogMessage.Action;
import dev.tempest.wire.LogMessage.Asked;
import dev.tempest.wire.LogMessage.Certified;
import dev.tempest.wire.LogMessage.Offer;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts actions that other replicas have executed into the log of a leader: each one if what it
 * touched has not been written since (Bartoli, section 4: a copy that is fresh). Unlike there the
 * leader alone decides, before anything is agreed on; so all apply what stands in the log, and two
 * that update one object at two replicas never overwrite each other.
 *
 * <p>Guarantees that an action stands in the log at most once: only the leader of one ballot may
 * put it there, which remembers its latest answer to each replica, and has nothing of one that was
 * offered before it led. Not thread-safe.
 */
final class Certifier {
  /** Of no replica: what it has written counts for all. */
  private static final long NOBODY = 0;

  /** Each process that starts again is another one. */
  private static final int REPLICAS_MAX = 1_024;

  private final ServiceInstance service;
  private final Agreement log;
  private final Executor executor;
  private Ballot ballot = Ballot.NONE;
  private LatestWrites latest = new LatestWrites(0);
  private final LinkedHashMap<Long, Certified> answered = new LinkedHashMap<>();

  /** Up to where who asks waits for the log, by replica. */
  private final Map<Long, Long> waiting = new LinkedHashMap<>();

  Certifier(ServiceInstance service, Agreement log, Executor executor) {
    this.service = service;
    this.log = log;
    this.executor = executor;
  }

  /**
   * Takes an offer, and proposes what can count of it. If that only reads, an entry that changes
   * nothing: once it is committed, nobody else led when the offer came. Else another one may have
   * put into the log what was to be seen.
   *
   * @return the answer; null if there is none: it leads no more, or has no room now
   */
  @Nullable Certified take(long from, Offer offer, long nowMillis, Executor.Proposer proposer) {
    boolean leads = log.serves() && log.ballot().equals(offer.ballot());
    if (!leads || executor.deviation() != null) { // Then it does not know all that is committed.
      return null;
    }
    lead();
    Certified before = answered.get(from);
    if (before != null && offer.first() <= before.first()) {
      return offer.first() == before.first() ? before : null;
    }
    if (executor.isFull()) {
      return null;
    }
    long length = log.length();
    IntervalSet refused = new IntervalSet();
    LatestWrites lost = new LatestWrites(0);
    long failed = 0;
    String why = "";
    boolean counts = false;
    for (int i = 0; i < offer.actions().size(); i++) {
      Action action = offer.actions().get(i);
      RequestId own = new RequestId(from, offer.first() + i);
      Footprint touched = footprint(action.footprint());
      boolean isFresh =
          isWelcome(action.asked(), nowMillis)
              && !latest.meets(touched, offer.base(), from)
              && !lost.meets(touched, 0, NOBODY);
      String failure = isFresh ? propose(own, offer.first(), action, nowMillis, proposer) : "";
      counts |= failure == null;
      if (failure != null) {
        refused.add(own.sequence());
        lost.add(written(action.change()), i, from);
        if (failed == 0 && !failure.isEmpty()) {
          failed = own.sequence();
          why = failure;
        }
      }
    }
    if (counts && log.length() == length) {
      proposer.propose(new SlotEntry.Passed(executor.state().point().millis()));
    }
    Certified answer = new Certified(ballot, offer.first(), log.length(), refused, failed, why);
    remember(from, answer);
    waiting.put(from, answer.through());
    return answer;
  }

  /** Whoever is forgotten has offered what is older than all that is known from now on. */
  private void remember(long from, Certified answer) {
    answered.putLast(from, answer);
    if (answered.size() > REPLICAS_MAX) {
      answered.pollFirstEntry();
      latest = new LatestWrites(log.length());
    }
  }

  /**
   * Unless it stands in the log already, may have stood there, comes too early or too late, or its
   * client has no room.
   */
  private boolean isWelcome(@Nullable Asked asked, long nowMillis) {
    return asked == null
        || (executor.answer(asked.id()) == null
            && !executor.isAhead(asked.id())
            && !executor.mayHaveForgotten(asked.id(), asked.stamp())
            && !executor.isTooEarlyFor(asked.stamp(), nowMillis)
            && !executor.isTooLateFor(asked.stamp())
            && executor.hasRoomFor(asked.id().client()));
  }

  /** Why it cannot count; null if it does, or is an action that writes nothing. */
  private @Nullable String propose(
      RequestId own, long first, Action action, long nowMillis, Executor.Proposer proposer) {
    Asked asked = action.asked();
    if (asked == null && action.change().size() == 0) {
      return null;
    }
    long slot = log.length();
    RequestId id = asked == null ? own : asked.id();
    long below = asked == null ? first : asked.answeredBelow();
    String failure = executor.offer(id, below, action, nowMillis, proposer);
    if (failure == null) {
      latest.add(written(action.change()), slot, own.client());
    }
    return failure;
  }

  /**
   * The leader has executed an update itself, and proposes it as the next entry. Others may offer
   * though it never does: {@code execute} differs while it is changed server by server.
   */
  void proposes(SlotEntry entry) {
    if (!ballot.equals(log.ballot())) {
      return; // Nobody has offered anything yet, who would have to have seen all until then.
    }
    if (entry instanceof SlotEntry.Proposed(var id, var millis, var below, Executed executed)) {
      latest.add(written(executed.writes()), log.length(), NOBODY);
    } else if (entry instanceof SlotEntry.Called) {
      latest = new LatestWrites(log.length() + 1); // What it writes is in no entry.
    }
  }

  /** What cannot be read here may have written anything. */
  private Footprint written(Bytes change) {
    Footprint written = service.footprint(change);
    return written == null ? Footprint.EVERYTHING : written;
  }

  private static Footprint footprint(Bytes bytes) {
    try {
      ByteReader reader = bytes.reader();
      Footprint footprint = Footprint.read(reader);
      reader.expectEnd();
      return footprint;
    } catch (MalformedException unknown) {
      return Footprint.EVERYTHING;
    }
  }

  /** What was written under other ballots is not known. */
  private void lead() {
    if (!ballot.equals(log.ballot())) {
      ballot = log.ballot();
      latest = new LatestWrites(log.length());
      answered.clear();
      waiting.clear();
    }
  }

  /** Those that wait for what is committed by now. */
  List<Long> reached() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Long> reached = new ArrayList<>(1);
    waiting.forEach((replica, through) -> {
      if (through <= log.committed()) {
        reached.add(replica);
      }
    });
    reached.forEach(waiting::remove);
    return reached;
  }
}
