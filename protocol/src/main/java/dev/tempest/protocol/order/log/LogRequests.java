package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * What front-ends ask of a replica. The leader executes updates, and one replica answers them once
 * they are committed ({@link Telling}); another one that is asked to answer as well does so once
 * that has come to it. What a client asks again and again it passes on, since that may not reach
 * the leader. If it begins to lead, it executes what has come meanwhile and was not committed.
 * Reads are answered by whoever is asked.
 */
final class LogRequests {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * A client that has asked in vain so often may know this replica alone. Sooner its answer is on
   * the way, nearly always.
   */
  static final int PASSED_ON_ATTEMPT = 2;

  private static final Answer TOO_MANY_READS =
      new Answer.Refused(Reason.OVERLOADED, "too many reads wait for a majority of the servers");

  private final Placement placement;
  private final Shown shown;
  private final ServiceInstance service;
  private final View view;
  private final Agreement log;
  private final Executor executor;
  private final Certifier certifier;
  private final OwnUpdates own;
  private final LogAdmission admission;
  private final Askers askers;
  private final KeptUpdates kept;
  private final QuorumReads reads;
  private final Relay relay;
  private final Replies replies;
  private final Voting voting;
  private long answered;

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
    this.placement = placement;
    this.shown = new Shown(settings.order().reads(), executor);
    this.service = service;
    this.view = view;
    this.log = log;
    this.executor = executor;
    this.certifier = certifier;
    this.own = own;
    this.admission = new LogAdmission(executor);
    LogSettings.Limits limits = settings.limits();
    this.askers = new Askers(limits.updates());
    this.kept = new KeptUpdates(limits.updates(), limits.keptMaxBytes());
    this.reads =
        new QuorumReads(
            view.self(),
            limits.reads(),
            placement.room().waitingMaxBytes(),
            seed,
            settings.group().electionNanos());
    this.relay = new Relay(placement, view, log, limits.updates());
    this.replies = new Replies(placement, executor);
    this.voting = new Voting(log, executor, admission, replies);
  }

  /** How many reads it has answered. */
  long reads() {
    return answered;
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
          yield List.of();
        }
        yield update(from, update, active, false, effects);
      }
      case Read read -> {
        read(new QuorumReads.Asked(from, read, null), active, effects);
        yield List.of();
      }
      case SeenRead(Read read, Seen seen) -> {
        read(new QuorumReads.Asked(from, read, seen), active, effects);
        yield List.of();
      }
      case Beacon(long called, RequestId id) -> {
        read(new QuorumReads.Polled(from, id), active, effects);
        yield List.of();
      }
      case Reply reply -> List.of(); // For front-ends, as the next two.
      case SeenReply reply -> List.of();
      case BeaconAnswer answer -> List.of();
    };
  }

  /** Takes an update that there is no time to execute. */
  void shed(Address from, Update update, boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    var none = update(from, update, active, true, effects);
    if (!none.isEmpty()) {
      throw new IllegalStateException("nothing is proposed that there is no time for");
    }
  }

  private List<Agreement.Effect> update(
      Address from, Update update, boolean active, boolean busy, List<Effect> effects) {
    RequestId id = update.id();
    askers.hear(id.client(), update.attempt(), nowNanos);
    boolean asked = Rendezvous.rank(id, view.self(), view.all()) < update.acks() + update.attempt();
    Answer unfit = admission.unfit(active);
    Answer answer = unfit == null ? executor.answer(id) : unfit;
    boolean isAhead = answer == null && executor.isAhead(id);
    boolean leads = log.serves();
    if (answer == null && !isAhead && log.proposes()) {
      if (update.attempt() > 0 && admission.mayBeForgotten(update)) {
        return List.of(); // Whoever executed it may have gone: only its deadline is a true end.
      }
      answer = admission.refusal(update, busy, nowNanos / NANOS_PER_MILLI);
    }
    if (answer != null) {
      if (asked || leads) {
        reply(from, id, true, answer, effects);
      }
      return List.of();
    }
    if (!isAhead && (voting.mayVote() || (leads && !log.proposes()))) {
      return busy ? List.of() : vote(from, update, asked, effects);
    }
    if (isAhead || leads || (asked && (update.attempt() > 0 || update.acks() > 1))) {
      askers.add(id, from, update.acks() > 1, nowNanos);
    }
    if (leads && !isAhead && !own.isForAnother(update)) {
      return execute(update, effects);
    }
    if (!leads && !busy) {
      kept.keep(from, update, nowNanos);
      boolean isSure = own.execute(update, nowNanos / NANOS_PER_MILLI);
      if (!isSure || (asked && update.attempt() >= PASSED_ON_ATTEMPT)) {
        passOn(update, effects);
      }
    }
    return List.of();
  }

  /** Votes for an update; if it may not, that is proposed once no more is voted for. */
  private List<Agreement.Effect> vote(
      Address from, Update update, boolean asked, List<Effect> effects) {
    kept.keep(from, update, nowNanos);
    if (asked && update.acks() > 1) {
      askers.add(update.id(), from, true, nowNanos);
    }
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
   * Votes for what came before the period began, in the same order as others, maybe.
   *
   * @return what the log wants done
   */
  List<Agreement.Effect> voteForKept(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    List<Agreement.Effect> done = new ArrayList<>();
    if (active && voting.begins()) {
      for (KeptUpdates.Kept each : kept.all()) {
        RequestId id = each.update().id();
        boolean isNew = executor.answer(id) == null && !executor.isAhead(id);
        if (isNew && !voting.vote(each.from(), each.update(), nowNanos, done, effects)) {
          done.addAll(log.step(new Agreement.Event.Close(nowNanos)));
        }
      }
    }
    return done;
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
    return update(refused.from(), refused.update(), active, false, effects);
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
   * others have to hear of the leader in between, however long a method takes. The leader before
   * may have executed them, too: if it may be forgotten that it did, they count as retries.
   *
   * @return what the log wants done
   */
  List<Agreement.Effect> executeKept(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    kept.dropOld(nowNanos);
    if (!executesKept()) {
      return List.of();
    }
    List<Agreement.Effect> proposed = new ArrayList<>();
    for (KeptUpdates.Kept next : kept.takeForTurn(nowNanos)) {
      Update update = next.update();
      if (executor.answer(update.id()) != null || !admission.mayBeForgotten(update)) {
        proposed.addAll(update(next.from(), update.again(), active, false, effects));
      }
    }
    return proposed;
  }

  /** An update is committed. */
  void answer(RequestId id, List<Effect> effects) {
    own.forget(id);
    boolean hasTold = voting.hasTold(id);
    KeptUpdates.Kept before = log.serves() ? kept.take(id) : null;
    if (before != null && !hasTold) { // Another one executed it, and may have told nobody.
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

  private void read(QuorumReads.Waiting read, boolean active, List<Effect> effects) {
    Answer refusal = admission.unfit(active);
    if (refusal == null && shown.isKnownHere(read)) {
      answer(read, effects);
      return;
    }
    if (refusal == null && !reads.add(read)) {
      refusal = TOO_MANY_READS;
    }
    if (refusal != null) {
      switch (read) {
        case QuorumReads.Asked asked ->
            reply(asked.from(), asked.read().id(), false, refusal, effects);
        case QuorumReads.Polled polled -> {} // So it does not seem to be fast.
        case QuorumReads.Own(long ticket) ->
            effects.add(new Effect.Decided(ticket, Decision.FAILED, why(refusal)));
      }
    }
  }

  private static String why(Answer refusal) {
    return refusal instanceof Answer.Refused(Reason reason, String detail) ? detail : "";
  }

  /** This process wants to read what counts by now. */
  void look(long ticket, boolean active, List<Effect> effects) {
    read(new QuorumReads.Own(ticket), active, effects);
  }

  /** It waits no longer; nothing if it can read already. */
  void end(long ticket, List<Effect> effects) {
    if (reads.remove(new QuorumReads.Own(ticket))) {
      effects.add(new Effect.Decided(ticket, Decision.FAILED, ""));
    }
  }

  /** Another replica says how long its log is. */
  void received(long from, LogMessage.Length length) {
    reads.received(from, length);
  }

  /** Answers the reads that can be answered by now. */
  void goOn(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    if (reads.isEmpty()) {
      return;
    }
    if (admission.unfit(active) != null) {
      reads.end().forEach(each -> read(each, active, effects));
      return;
    }
    List<QuorumReads.Waiting> ready =
        reads.look(
            log,
            nowNanos,
            (to, message) ->
                view.send(to, new OfLog(placement.service(), placement.self(), message), effects));
    ready.forEach(each -> answer(each, effects));
  }

  private void answer(QuorumReads.Waiting ready, List<Effect> effects) {
    switch (ready) {
      case QuorumReads.Asked asked -> answer(asked, effects);
      case QuorumReads.Polled(Address from, RequestId id) ->
          effects.add(
              new Effect.Send(
                  from,
                  new BeaconAnswer(placement.service(), id, placement.self(), replies.load(), 0)));
      case QuorumReads.Own(long ticket) ->
          effects.add(new Effect.Decided(ticket, Decision.COUNTS, ""));
    }
  }

  private void answer(QuorumReads.Asked waiting, List<Effect> effects) {
    answered++;
    Read read = waiting.read();
    Call call = read.call();
    Answer answer =
        Answers.of(
            service.read(
                executor.state().applied().version(),
                call.method(),
                call.arguments(),
                replies.clockNanos(nowNanos) / NANOS_PER_MILLI));
    if (waiting.seen() != null) {
      Reply reply = replies.of(read.id(), false, answer, nowNanos);
      Seen seen = new SeenByLog(executor.state().point().slot());
      effects.add(new Effect.Send(waiting.from(), new SeenReply(reply, seen)));
    } else {
      reply(waiting.from(), read.id(), false, answer, effects);
    }
  }

  private void reply(
      Address to, RequestId id, boolean update, Answer answer, List<Effect> effects) {
    effects.add(new Effect.Send(to, replies.of(id, update, answer, nowNanos)));
  }

  void checkInvariants() {
    kept.checkInvariants();
  }
}
