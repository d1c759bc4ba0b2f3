package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Votes for updates as they come from clients, where the log has a period for that, and tells each
 * client what its update has come to after all that was voted for before: it counts once a fast
 * quorum says the same (Lamport, Fast Paxos; Zhang, chapter V). What may not be voted for goes
 * through the leader. Not thread-safe.
 */
final class Voting {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Agreement log;
  private final Executor executor;
  private final LogAdmission admission;
  private final Replies replies;

  /** Updates whose clients were told so, and that are not committed. */
  private final Set<RequestId> told = new LinkedHashSet<>();

  /** The latest period in which it has voted. */
  private Ballot ballot = Ballot.NONE;

  private long period;

  private long counted;

  Voting(Agreement log, Executor executor, LogAdmission admission, Replies replies) {
    this.log = log;
    this.executor = executor;
    this.admission = admission;
    this.replies = replies;
  }

  /** Whether it may vote for what comes now. */
  boolean mayVote() {
    return log.isVoting() && executor.deviation() == null;
  }

  /** Whether another period has begun since this was asked: what has come before waits for it. */
  boolean begins() {
    if (!mayVote()) {
      return false;
    }
    LogMessage.Vote vote = log.vote();
    boolean isNew = vote.period() != period || !vote.ballot().equals(ballot);
    period = vote.period();
    ballot = vote.ballot();
    return isNew;
  }

  /**
   * Votes for an update that is not known here, if it may.
   *
   * @param done is handed what the log wants done
   */
  boolean vote(
      Address from,
      Update update,
      long nowNanos,
      List<Agreement.Effect> done,
      List<Effect> effects) {
    if (!mayVote() || !admission.mayVote(update, nowNanos / NANOS_PER_MILLI)) {
      return false;
    }
    List<SlotEntry> entries = new ArrayList<>(1);
    Answer refusal = executor.vote(update, entries::add);
    if (refusal != null) {
      return false; // Its leader says so.
    }
    if (!(entries.getFirst() instanceof SlotEntry.Called called)) {
      throw new IllegalStateException("members vote for calls, which all execute");
    }
    RequestId id = update.id();
    Answer answer = executor.answerAhead(id);
    done.addAll(log.step(new Agreement.Event.Vote(nowNanos, called)));
    effects.add(
        new Effect.Send(from, replies.voted(id, answer, log.vote(), log.needed(), nowNanos)));
    told.add(id);
    return true;
  }

  /** It is committed; whether its client was told by votes. */
  boolean hasTold(RequestId id) {
    boolean has = !told.isEmpty() && told.remove(id);
    counted += has ? 1 : 0;
    return has;
  }

  /** How many were, of those that are committed. */
  long counted() {
    return counted;
  }

  /** What it has voted for may come to nothing. */
  void stops() {
    told.clear();
  }
}
