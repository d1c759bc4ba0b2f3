package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Answer;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What front-ends ask of a replica. The leader executes updates, and one replica answers them once
 * they are committed ({@link Telling}); another one that is asked to answer as well does so once
 * that has come to it. What a client asks again and again it passes on, since that may not reach
 * the leader. If it begins to lead, it executes what has come meanwhile and was not committed.
 * Reads are answered by whoever is asked ({@link LogReads}).
 */
final class LogRequests {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * A client that has asked in vain so often may know this replica alone. Sooner its answer is on
   * the way, nearly always.
   */
  static final int PASSED_ON_ATTEMPT = 2;

  /** If more came before a period begins, others would wait for the votes for them. */
  static final int VOTES_FOR_KEPT_MAX = 16;

  private final View view;
  private final Agreement log;
  private final Executor executor;
  private final Certifier certifier;
  private final OwnUpdates own;
  private final LogAdmission admission;
  private final Askers askers;
  private final KeptUpdates kept;
  private final LogReads reads;
  private final Relay relay;
  private final Replies replies;
  private final Voting voting;

  /** What lies before it the leader knows to be committed. */
  private long known;

  private long nowNanos;

  LogRequests(
      LogSettings settings,
      Placement placement,
      ServiceInstance service,
      View view,
      Agreement log,
      Executor executor,
      Certifier certifier,
      OwnUpdates own,
      long seed) {
    this.view = view;
    this.log = log;
    this.executor = executor;
    this.certifier = certifier;
    this.own = own;
    this.admission = new LogAdmission(executor, settings.limits());
    LogSettings.Limits limits = settings.limits();
    this.askers = new Askers(limits.updates());
    this.kept = new KeptUpdates(limits.updates(), limits.keptMaxBytes());
    this.relay = new Relay(placement, view, log, limits.updates());
    this.replies = new Replies(placement, executor);
    this.reads =
        new LogReads(settings, placement, service, view, log, executor, admission, replies, seed);
    this.voting = new Voting(log, executor, admission, replies);
  }

  /** Those that read. */
  LogReads reads() {
    return reads;
  }

  /** How many updates count for which it voted. */
  long byVotes() {
    return voting.counted();
  }

  /** How many it has forgotten whose clients wait, since there were more of them. */
  long forgotten() {
    return askers.forgotten() + kept.forgotten();
  }

  void loaded(int requests) {
    replies.loaded(requests);
  }

  long nextTickNanos() {
    return executesKept() || own.hasRefused() ? nowNanos : reads.nextTickNanos();
  }

  /**
   * Takes a message of a front-end.
   *
   * @param active whether this replica is a member that has the state
   * @return what the log wants done: an update may have been proposed
   */
  List<Agreement.Effect> take(
      Address from, RequestMessage message, boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    if (log.hasNoCopy()) {
      relay.take(from, message, nowNanos, effects);
      return List.of();
    }
    return switch (message) {
      case Update update -> {
        if (executesKept()) {
          kept.keep(from, update, nowNanos); // Behind those that came before it.
          yield executeOldest(active, effects); // What comes fast does not make them wait longer.
        }
        yield update(from, update, active, null, effects);
      }
      case Read read -> {
        reads.take(new QuorumReads.Asked(from, read, null), active, nowNanos, effects);
        yield List.of();
      }
      case SeenRead(Read read, Seen seen) -> {
        reads.take(new QuorumReads.Asked(from, read, seen), active, nowNanos, effects);
        yield List.of();
      }
      case Beacon(long called, RequestId id) -> {
        reads.take(new QuorumReads.Polled(from, id), active, nowNanos, effects);
        yield List.of();
      }
      case Reply reply -> {
        refusedElsewhere(from, reply, effects);
        yield List.of();
      }
      case SeenReply reply -> List.of();
      case BeaconAnswer answer -> List.of();
    };
  }

  /**
   * Takes an update that is not to be executed: whether it was before is said all the same.
   *
   * @param why what its caller is told
   * @return what the log wants done
   */
  List<Agreement.Effect> shed(
      Address from, Update update, String why, boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    if (log.hasNoCopy()) {
      relay.take(from, update, nowNanos, effects);
      return List.of();
    }
    return update(from, update, active, why, effects);
  }

  private List<Agreement.Effect> update(
      Address from,
      Update update,
      boolean active,
      @Nullable String hindrance,
      List<Effect> effects) {
    RequestId id = update.id();
    askers.hear(id.client(), update.attempt(), nowNanos);
    boolean asked = Rendezvous.rank(id, view.self(), view.all()) < update.acks() + update.attempt();
    Answer unfit = admission.unfit(active);
    Answer answer = unfit == null ? executor.answer(id) : unfit;
    if (answer != null) {
      if (asked || log.serves()) {
        reply(from, id, true, answer, effects);
      }
      return List.of();
    }
    if (executor.isAhead(id)) {
      askers.add(id, from, update.acks() > 1, nowNanos);
    } else if (log.proposes()) {
      return lead(from, update, hindrance, effects);
    } else if (log.serves() || voting.mayVote()) {
      return vote(from, update, asked, hindrance, effects);
    } else if (asked && (update.attempt() > 0 || update.acks() > 1)) {
      askers.add(id, from, update.acks() > 1, nowNanos);
    }
    if (!log.serves()) {
      boolean isSure =
          hindrance == null ? keepsAndExecutes(from, update) : !own.isForThis(update.id());
      if (!isSure || (asked && update.attempt() >= PASSED_ON_ATTEMPT)) {
        passOn(update, effects);
      }
    }
    return List.of();
  }

  /** Whether it counts on itself, or on another one, to have it executed. */
  private boolean keepsAndExecutes(Address from, Update update) {
    kept.keep(from, update, nowNanos);
    return own.execute(update, nowNanos / NANOS_PER_MILLI);
  }

  /** The leader has refused an update: a front-end of this process asks nobody but this replica. */
  private void refusedElsewhere(Address by, Reply reply, List<Effect> effects) {
    if (by.equals(view.address(log.ballot().replica())) && replies.isRefusedByAll(reply)) {
      Reply passedOn = replies.own(reply);
      askers.of(reply.id()).forEach(to -> effects.add(new Effect.Send(to, passedOn)));
    }
  }

  /** Executes an update that gets the next place, if it may be executed. */
  private List<Agreement.Effect> lead(
      Address from, Update update, @Nullable String hindrance, List<Effect> effects) {
    if (update.attempt() > 0 && admission.mayBeForgotten(update)) {
      return List.of(); // Whoever executed it may have gone: only its deadline is a true end.
    }
    Answer refusal = admission.refusal(update, hindrance, nowNanos / NANOS_PER_MILLI);
    if (refusal != null) {
      reply(from, update.id(), true, refusal, effects);
      return List.of();
    }
    askers.add(update.id(), from, update.acks() > 1, nowNanos);
    return own.isForAnother(update) ? List.of() : execute(update, effects);
  }

  /**
   * Votes for an update; if it may not, no more is voted for, and the leader proposes that: others
   * have voted for it, maybe, and this replica would differ from then on.
   */
  private List<Agreement.Effect> vote(
      Address from,
      Update update,
      boolean asked,
      @Nullable String hindrance,
      List<Effect> effects) {
    RequestId id = update.id();
    if (admission.mayBeForgotten(update)) {
      if (log.serves() && update.attempt() == 0) {
        reply(from, id, true, LogAdmission.FORGOTTEN, effects);
      }
      return List.of();
    }
    if (asked && update.acks() > 1) {
      askers.add(id, from, true, nowNanos);
    }
    if (hindrance != null) { // Who asks again is refused then.
      return log.step(new Agreement.Event.Close(nowNanos));
    }
    kept.keep(from, update, nowNanos);
    List<Agreement.Effect> done = new ArrayList<>();
    if (!voting.vote(from, update, nowNanos, done, effects)) {
      done.addAll(log.step(new Agreement.Event.Close(nowNanos)));
      if (!log.serves() && asked && update.attempt() >= PASSED_ON_ATTEMPT) {
        passOn(update, effects);
      }
    }
    return done;
  }

  /**
   * Votes for what came before the period began, in the same order as others, maybe. If that is
   * more than others should wait for, it leaves the votes to them.
   *
   * @return what the log wants done
   */
  List<Agreement.Effect> voteForKept(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    kept.dropOld(nowNanos);
    if (!active || !voting.begins()) {
      return List.of();
    }
    List<KeptUpdates.Kept> all =
        kept.all().stream().filter(each -> isNew(each.update().id())).toList();
    List<Agreement.Effect> done = new ArrayList<>();
    boolean votes = all.size() <= VOTES_FOR_KEPT_MAX;
    for (int i = 0; votes && i < all.size(); i++) {
      votes = voting.vote(all.get(i).from(), all.get(i).update(), nowNanos, done, effects);
    }
    if (!votes) {
      done.addAll(log.step(new Agreement.Event.Close(nowNanos)));
    }
    return done;
  }

  private boolean isNew(RequestId id) {
    return executor.answer(id) == null && !executor.isAhead(id);
  }

  /** What it has voted for may come to nothing. */
  void votesNoMore() {
    executor.fallBack();
    voting.stops();
  }

  /** Its client does not reach the leader, it seems. */
  private void passOn(Update update, List<Effect> effects) {
    long leader = log.ballot().replica();
    if (view.hasOther(leader)) { // It may be about to lead itself.
      view.send(leader, update.again(), effects);
    }
  }

  /**
   * Goes on with the next update that was executed here and does not count; only one, since others
   * have to hear of this replica in between.
   *
   * @return what the log wants done
   */
  List<Agreement.Effect> executeRefused(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    RequestId id = own.takeRefused();
    if (id == null) {
      return List.of();
    }
    KeptUpdates.Kept refused = kept.find(id);
    if (refused == null) { // It is committed, or has waited for too long.
      own.forget(id);
      return List.of();
    }
    return update(refused.from(), refused.update(), active, null, effects);
  }

  private List<Agreement.Effect> execute(Update update, List<Effect> effects) {
    List<Agreement.Effect> proposed = new ArrayList<>();
    Answer refusal =
        executor.execute(
            update,
            nowNanos / NANOS_PER_MILLI,
            entry -> {
              certifier.proposes(entry);
              proposed.addAll(log.step(new Agreement.Event.Propose(nowNanos, entry)));
            });
    if (refusal != null) {
      for (Address from : askers.take(update.id())) {
        reply(from, update.id(), true, refusal, effects);
      }
    }
    return proposed;
  }

  /** Whether this replica leads, and something has come before it did. */
  private boolean executesKept() {
    return !kept.isEmpty() && log.proposes() && executor.deviation() == null;
  }

  /**
   * Executes the next updates that came before this replica led, as if they came now; few, since
   * others have to hear of the leader in between.
   *
   * @return what the log wants done
   */
  List<Agreement.Effect> executeKept(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    kept.dropOld(nowNanos);
    List<Agreement.Effect> proposed = new ArrayList<>();
    int count = executesKept() ? kept.countForTurn(nowNanos) : 0;
    for (int i = 0; i < count; i++) {
      proposed.addAll(executeOldest(active, effects));
    }
    return proposed;
  }

  /**
   * The leader before may have executed it, too: if it may be forgotten that it did, it counts as a
   * retry.
   */
  private List<Agreement.Effect> executeOldest(boolean active, List<Effect> effects) {
    KeptUpdates.Kept next = kept.takeOldest();
    if (next == null) {
      return List.of();
    }
    Update update = next.update();
    return executor.answer(update.id()) != null || !admission.mayBeForgotten(update)
        ? update(next.from(), update.again(), active, null, effects)
        : List.of();
  }

  /** An update is committed. */
  void answer(RequestId id, List<Effect> effects) {
    own.forget(id);
    boolean hasVoted = voting.hasTold(id);
    boolean isUnheard = hasVoted && askers.hasAskedAgain(id.client(), nowNanos);
    KeptUpdates.Kept before = log.serves() ? kept.take(id) : isUnheard ? kept.find(id) : null;
    if (before != null && (isUnheard || !hasVoted)) { // Others may have told nobody, either.
      askers.add(id, before.from(), nowNanos);
    }
    for (Address from : askers.take(id)) {
      Answer answer = executor.deviation() == null ? executor.answer(id) : null;
      if (answer != null) {
        reply(from, id, true, answer, effects);
      }
    }
  }

  /**
   * What the leader knows to be committed somebody has answered. What only this replica knows of
   * stays: if it leads next, it answers.
   */
  void hear(LogMessage.OfBallot said) {
    boolean leads = said.ballot().equals(log.ballot());
    if (!leads || !(said instanceof LogMessage.Accept accept)) {
      return;
    }
    long end = Math.min(accept.committed(), log.committed());
    for (long slot = Math.max(known, log.start()); slot < end; slot++) {
      RequestId id = log.get(slot).id();
      if (id != null) {
        kept.take(id);
      }
    }
    known = Math.max(known, end);
  }

  /** An update is committed, and whoever sent it first has been answered. */
  void told(RequestId id, List<Effect> effects) {
    if (askers.areSeveral(id)) {
      answer(id, effects);
    } else {
      own.forget(id);
      kept.take(id);
      askers.take(id);
    }
  }

  /** Whether their clients hear who answers first, as far as is known. */
  boolean areHeard(List<SlotEntry> entries) {
    return !askers.haveAskedAgain(entries, nowNanos);
  }

  /**
   * Has the clients of updates that are about to be committed answered by this replica, if it knows
   * all of them, and none wants to be answered by several.
   */
  boolean tells(List<RequestId> ids) {
    List<KeptUpdates.Kept> all = new ArrayList<>(ids.size());
    for (RequestId id : ids) {
      KeptUpdates.Kept update = kept.find(id);
      if (update == null || update.update().acks() > 1) {
        return false;
      }
      all.add(update);
    }
    all.forEach(each -> askers.add(each.update().id(), each.from(), nowNanos));
    return true;
  }

  private void reply(
      Address to, RequestId id, boolean update, Answer answer, List<Effect> effects) {
    effects.add(new Effect.Send(to, replies.of(id, update, answer, nowNanos)));
  }

  void checkInvariants() {
    kept.checkInvariants();
  }
}
