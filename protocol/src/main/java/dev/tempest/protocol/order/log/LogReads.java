package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.ReadsAlone;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Home.Certain;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads of front-ends and of this process: answered at once, if this replica shows what they
 * have to, else once a majority has said how much that is ({@link QuorumReads}). Not thread-safe.
 */
final class LogReads {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final Answer TOO_MANY =
      new Answer.Refused(Reason.OVERLOADED, "too many reads wait for a majority of the servers");

  private final Placement placement;
  private final Shown shown;
  private final ServiceInstance service;
  private final View view;
  private final Agreement log;
  private final Executor executor;
  private final LogAdmission admission;
  private final Replies replies;
  private final QuorumReads waiting;
  private final Uncommitted uncommitted;
  private long answered;
  private long nowNanos;

  LogReads(
      LogSettings settings,
      Placement placement,
      ServiceInstance service,
      View view,
      Agreement log,
      Executor executor,
      LogAdmission admission,
      Replies replies,
      long seed) {
    this.placement = placement;
    this.shown = new Shown(settings.order().reads(), executor);
    this.service = service;
    this.view = view;
    this.log = log;
    this.executor = executor;
    this.admission = admission;
    this.replies = replies;
    this.uncommitted = new Uncommitted(service);
    this.waiting =
        new QuorumReads(
            view.self(),
            settings.limits().reads(),
            placement.room().waitingMaxBytes(),
            seed,
            settings.group().electionNanos());
  }

  /**
   * What can be read here without asking others; null if nothing can. Looks at what the log has got
   * since the last time.
   *
   * @param active whether this replica is a member that has the state
   */
  @Nullable ReadsAlone alone(boolean active, long now) {
    boolean isFit = active && executor.deviation() == null;
    long untilNanos = isFit ? log.leasedUntilNanos(now) : Long.MIN_VALUE;
    if (untilNanos <= now) {
      uncommitted.forget();
      return null;
    }
    Version version = executor.state().applied().version();
    return new ReadsAlone(new Certain(version, uncommitted.keys(log, version)), untilNanos);
  }

  /** How many it has answered. */
  long answered() {
    return answered;
  }

  /** When {@link #goOn} has something to do, whatever happens until then. */
  long nextTickNanos() {
    return waiting.nextTickNanos();
  }

  /**
   * Takes a read.
   *
   * @param active whether this replica is a member that has the state
   */
  void take(QuorumReads.Waiting read, boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    read(read, active, effects);
  }

  private void read(QuorumReads.Waiting read, boolean active, List<Effect> effects) {
    Answer refusal = admission.unfit(active);
    if (refusal == null && shown.isKnownHere(read)) {
      answer(read, effects);
      return;
    }
    if (refusal == null && !waiting.add(read)) {
      refusal = TOO_MANY;
    }
    if (refusal != null) {
      switch (read) {
        case QuorumReads.Asked asked -> reply(asked.from(), asked.read().id(), refusal, effects);
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
    if (waiting.remove(new QuorumReads.Own(ticket))) {
      effects.add(new Effect.Decided(ticket, Decision.FAILED, ""));
    }
  }

  /** Another replica says how long its log is. */
  void received(long from, LogMessage.Length length) {
    waiting.received(from, length);
  }

  /** Answers the reads that can be answered by now. */
  void goOn(boolean active, long now, List<Effect> effects) {
    nowNanos = now;
    if (waiting.isEmpty()) {
      return;
    }
    if (admission.unfit(active) != null) {
      waiting.end().forEach(each -> read(each, active, effects));
      return;
    }
    List<QuorumReads.Waiting> ready =
        waiting.look(
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

  private void answer(QuorumReads.Asked asked, List<Effect> effects) {
    answered++;
    Read read = asked.read();
    Call call = read.call();
    Answer answer =
        Answers.of(
            service.read(
                executor.state().applied().version(),
                call.method(),
                call.arguments(),
                replies.clockNanos(nowNanos) / NANOS_PER_MILLI));
    if (asked.seen() != null) {
      Reply reply = replies.of(read.id(), false, answer, nowNanos);
      Seen seen = new SeenByLog(executor.state().point().slot());
      effects.add(new Effect.Send(asked.from(), new SeenReply(reply, seen)));
    } else {
      reply(asked.from(), read.id(), answer, effects);
    }
  }

  private void reply(Address to, RequestId id, Answer answer, List<Effect> effects) {
    effects.add(new Effect.Send(to, replies.of(id, false, answer, nowNanos)));
  }
}
