package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.Transaction;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.Message.Want;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SeenByTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What front-ends ask of a replica: takes their updates into the window, and answers. */
final class ClientRequests {
  /** What it came to could still change. */
  private static final Answer NO_TRANSACTIONS =
      new Answer.Refused(
          Reason.UNKNOWN_METHOD,
          "order by time has no transactions: host the service with consistency: linearizable");

  private static final Answer JOINING =
      new Answer.Refused(Reason.JOINING, "this replica has no state yet");

  private static final Answer NO_STAMP =
      new Answer.Refused(
          Reason.BAD_ARGUMENTS, "the service is ordered by time: an update needs a stamp");

  private static final Answer BEHIND =
      new Answer.Refused(Reason.BEHIND, "this replica lacks some of what the client has seen");
  private static final Answer TOO_MUCH =
      new Answer.Refused(Reason.OVERLOADED, "too much is unsettled for a handle: call without one");

  /** Who waits for the answer of an update that came late, and has yet to run. */
  private record Late(Address from, RequestId id) {}

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private final Admission admission;
  private final SessionGuarantees guarantees;
  private final Executions executions;
  private final WaitingReads waiting;
  private final List<Late> late = new ArrayList<>();
  private long reads;
  private long asked;
  private int load;

  ClientRequests(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      ReplicaClock clock,
      Admission admission,
      SessionGuarantees guarantees,
      Executions executions) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.clock = clock;
    this.admission = admission;
    this.guarantees = guarantees;
    this.executions = executions;
    this.waiting = new WaitingReads(settings.limits().waits().reads());
  }

  long reads() {
    return reads;
  }

  /** So many requests wait at this process or are being answered. */
  void loaded(int requests) {
    load = requests;
  }

  /**
   * Takes a message of a front-end.
   *
   * @param active whether this replica has state
   * @param leaving whether it takes no more updates, for now: they are for others
   */
  void take(
      Address from, RequestMessage message, boolean active, boolean leaving, List<Effect> effects) {
    switch (message) {
      case Update update -> update(from, update, active && !leaving, null, effects);
      case Read read -> read(from, read, active, effects);
      case Beacon(long called, RequestId id) -> {
        if (unavailable(active) == null) {
          effects.add(
              new Effect.Send(
                  from,
                  new BeaconAnswer(
                      settings.service(), id, settings.self(), load, clock.upMillis())));
        }
      }
      case SeenRead read -> seenRead(from, read, active, effects);
      case Reply reply -> {} // For front-ends.
      case SeenReply reply -> {} // For front-ends.
      case BeaconAnswer answer -> {} // For front-ends.
    }
  }

  /**
   * Takes an update that is not to be executed: whether it was before is said all the same.
   *
   * @param why what its caller is told
   */
  void shed(Address from, Update update, String why, boolean active, List<Effect> effects) {
    update(from, update, active, why, effects);
  }

  private void update(
      Address from,
      Update update,
      boolean active,
      @Nullable String hindrance,
      List<Effect> effects) {
    RequestId id = update.id();
    long stamp = Stamp.of(update.part());
    if (stamp == Stamp.NONE) {
      reply(from, id, true, NO_STAMP, effects);
      return;
    }
    if (update.call().method() == Transaction.COMMIT) {
      reply(from, id, true, NO_TRANSACTIONS, effects);
      return;
    }
    Entry entry = new Entry(id, stamp, update.call());
    if (update.attempt() == 0) {
      clock.arrived(entry.stamp());
    }
    Answer answer = unavailable(active);
    boolean duplicate = answer == null && window.contains(id);
    int rank = Rendezvous.rank(id, settings.self(), view.all());
    answer = answer == null && !duplicate ? admission.refusalOf(entry, hindrance) : answer;
    if (answer == null && !duplicate) {
      if (settings.policy().executesAny()) {
        answer = executions.take(from, update, entry, rank, effects);
        if (answer == null) {
          return; // Another replica executes it, or this one in its turn.
        }
      } else {
        answer = window.take(entry, update.answeredBelow());
      }
    }
    executions.drop(id); // What was refused is not executed later, nor answered twice.
    // A retry is answered by whoever executed the first sending, so that a lost reply costs one
    // round trip.
    if (rank < update.acks() + update.attempt() || (duplicate && update.attempt() > 0)) {
      if (answer == null && window.hasYetToRun(id)) {
        late.add(new Late(from, id));
      } else {
        reply(from, id, true, answer == null ? recorded(id) : answer, effects);
      }
    }
  }

  /** Answers what came late since the last time: once for all, since what follows them runs too. */
  void answerLate(List<Effect> effects) {
    for (Late each : late) {
      if (window.contains(each.id)) { // Or its state is from elsewhere since, and it is sent again.
        reply(each.from, each.id, true, recorded(each.id), effects);
      }
    }
    late.clear();
  }

  /** Why nothing can be had of this replica now; null if it serves. */
  private @Nullable Answer unavailable(boolean active) {
    String cannot = window.cannot();
    return !active ? JOINING : cannot == null ? null : new Answer.Refused(Reason.SUSPENDED, cannot);
  }

  /** What a request that was executed answers now, if late entries changed it. */
  private Answer recorded(RequestId id) {
    Answer unsettled = window.answer(id);
    Answer suspended = unavailable(true);
    if (suspended != null) {
      return suspended;
    }
    Answer answer = unsettled != null ? unsettled : window.clients().answer(id);
    return answer != null
        ? answer
        : new Answer.Refused(
            Reason.RESULT_FORGOTTEN, "executed before, and its answer is not kept any more");
  }

  private void read(Address from, Read read, boolean active, List<Effect> effects) {
    reply(from, read.id(), false, active ? answer(read) : JOINING, effects);
  }

  private Answer answer(Read read) {
    reads++;
    Version version = window.version();
    Answer suspended = unavailable(true);
    Call call = read.call();
    if (call.method() == Transaction.ASK || call.method() == Transaction.ASK_NEAR) {
      return NO_TRANSACTIONS;
    }
    return suspended == null
        ? Answers.of(service.read(version, call.method(), call.arguments(), clock.nowMillis()))
        : suspended;
  }

  private void seenRead(Address from, SeenRead read, boolean active, List<Effect> effects) {
    Answer refusal = unavailable(active);
    if (refusal != null) {
      reply(from, read.read().id(), false, refusal, effects);
      return;
    }
    SeenByTime seen = SessionGuarantees.byTime(read.seen());
    List<ClientIds> lacking = guarantees.lacking(seen);
    if (guarantees.isBehind(seen, lacking)) {
      if (!waiting.add(from, read.read(), seen, lacking, clock.nowNanos())) {
        reply(from, read.read().id(), false, BEHIND, effects);
      } else if (!lacking.isEmpty() && !view.others().isEmpty()) {
        // It is probably on its way here. If not, one of the others has it, most probably any.
        long other = view.others().get((int) (++asked % view.others().size()));
        view.send(other, new Want(settings.service(), settings.self(), lacking), effects);
      }
    } else {
      answerSeen(from, read.read(), effects);
    }
  }

  private void answerSeen(Address from, Read read, List<Effect> effects) {
    Answer answer = answer(read);
    SeenByTime seen = guarantees.all();
    if (seen == null) {
      reply(from, read.id(), false, TOO_MUCH, effects);
    } else {
      effects.add(new Effect.Send(from, new SeenReply(reply(read.id(), false, answer), seen)));
    }
  }

  /** Answers those that need wait no longer, for whatever reason. */
  void resume(boolean active, List<Effect> effects) {
    for (Executions.Ready each : executions.ready(unavailable(active) == null)) {
      Answer refusal = each.refusal();
      reply(each.from(), each.id(), true, refusal == null ? recorded(each.id()) : refusal, effects);
    }
    for (WaitingReads.Waiting each :
        waiting.take(guarantees, clock.nowNanos(), unavailable(active) == null)) {
      Answer refusal = unavailable(active);
      if (refusal != null) {
        reply(each.from(), each.read().id(), false, refusal, effects);
      } else if (guarantees.isBehind(each.seen(), guarantees.lacking(each.seen()))) {
        reply(each.from(), each.read().id(), false, BEHIND, effects);
      } else {
        answerSeen(each.from(), each.read(), effects);
      }
    }
  }

  /** When a request is to be answered, or has waited long; {@link Long#MAX_VALUE} if none waits. */
  long nextTickNanos() {
    if (!late.isEmpty()) {
      return clock.nowNanos();
    }
    return Math.min(waiting.nextTickNanos(), executions.nextTickNanos());
  }

  private void reply(
      Address to, RequestId id, boolean update, Answer answer, List<Effect> effects) {
    effects.add(new Effect.Send(to, reply(id, update, answer)));
  }

  private Reply reply(RequestId id, boolean update, Answer answer) {
    // Refused is what does not fit this clock. What was answered happened before what comes next.
    long stamp = answer instanceof Answer.Refused ? clock.stamp() : clock.hybridStamp();
    OrderPart part = new OrderPart.Stamped(stamp);
    return new Reply(settings.service(), id, update, settings.self(), part, load, answer);
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    waiting.checkInvariants();
    executions.checkInvariants();
    Invariant.check(
        late.isEmpty() || nextTickNanos() <= clock.nowNanos(), "what came late is answered soon");
  }
}
