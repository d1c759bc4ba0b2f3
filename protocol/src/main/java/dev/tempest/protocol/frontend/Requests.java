package dev.tempest.protocol.frontend;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one front-end incarnation: names them, stamps them, and sends them again, under
 * the same name, until they are answered or their deadline passes (Tempest, section 3.1).
 *
 * <p>An update goes to all replicas, and the first in the rendezvous order of its id reply; each
 * attempt asks one more to. A read goes to those that are fast now, as many as its {@link Reads}
 * say, and with each attempt to the next. The first wait of a request depends on what answers
 * usually take. Every ticket is completed exactly once, unless it is cancelled. Does not know where
 * replicas are.
 *
 * <p>Not thread-safe: its owner calls {@link #step} from one thread at a time.
 */
public final class Requests {
  /** As many updates of one service may be under way at once: replicas keep as many answers. */
  public static final int UPDATES_MAX = 1_024;

  /** Waiting grows up to so many times the first wait. */
  private static final int WAIT_FACTOR_MAX = 16;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** What happens to it. Times as in {@link dev.tempest.protocol.Event}. */
  public sealed interface Event {
    /** When it happens. */
    long nowNanos();

    /** Time has passed. */
    record Tick(long nowNanos) implements Event {}

    /**
     * The application asks.
     *
     * @param ticket comes back in {@link Effect.Complete}
     * @param update whether the method is an update or a read
     * @param deadlineNanos when to give up
     * @param reads whom to ask, if it is a read
     * @param seen what a replica has to have executed before it answers a read; null if the
     *     application neither says nor wants to know
     */
    record Submit(
        long nowNanos,
        long ticket,
        long service,
        boolean update,
        Call call,
        long deadlineNanos,
        Reads reads,
        @Nullable Seen seen)
        implements Event {}

    /** Nobody waits for it any more: it is not sent again, and not completed. */
    record Cancel(long nowNanos, long ticket) implements Event {}

    /** A replica answered. */
    record Received(long nowNanos, Message.RequestMessage message) implements Event {}
  }

  /** What it wants done. */
  public sealed interface Effect {
    /** Send to all replicas of the service, with no promise that it arrives at any. */
    record Multicast(long service, Message message) implements Effect {}

    /** Send to one replica, with no promise that it arrives. */
    record Send(long replica, Message message) implements Effect {}

    /**
     * The application has seen this with the request that completes next: it asked to be told.
     *
     * @param seen the update itself, or all that a read may have seen, what was submitted included
     */
    record Saw(long ticket, Seen seen) implements Effect {}

    /** Tell the application. Exactly one per ticket that is not cancelled. */
    record Complete(long ticket, Completion completion) implements Effect {}
  }

  /** How a request ended. */
  public sealed interface Completion {
    /** It was executed by as many replicas as asked for, or refused for good. */
    record Answered(Answer answer) implements Completion {}

    /** The deadline passed: it may or may not have been executed. {@code attempts} were sent. */
    record Unknown(int attempts) implements Completion {}
  }

  /**
   * How a front-end asks.
   *
   * @param client 64 random bits of this incarnation
   * @param replicas the ids of all replicas, ascending
   * @param acks how many replicas must have executed an update before it completes
   * @param retryAfterMillis how long to wait for the first answer before sending again, at most
   */
  public record Settings(long client, List<Long> replicas, int acks, int retryAfterMillis) {
    /** Refuses settings that cannot work. */
    public Settings {
      replicas = List.copyOf(replicas);
      if (acks < 1 || acks > replicas.size()) {
        throw new IllegalArgumentException(
            "acks is from 1 to the number of replicas, " + replicas.size() + ", not " + acks);
      }
      if (retryAfterMillis < 1) {
        throw new IllegalArgumentException("retry after at least 1 ms, not " + retryAfterMillis);
      }
    }
  }

  private final Settings settings;
  private final Map<Key, Pending> pending = new LinkedHashMap<>();
  private final Map<Long, Pending> tickets = new LinkedHashMap<>();
  private final Map<Long, Numbers> numbers = new LinkedHashMap<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
  private final Fastest fastest;
  private long lastStamp;
  private long clockAheadMillis;

  /** No requests yet. */
  public Requests(Settings settings) {
    this.settings = settings;
    this.fastest = new Fastest(settings.client(), settings.replicas());
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    List<Effect> effects = new ArrayList<>(2);
    switch (event) {
      case Event.Tick(var nowNanos) -> tick(nowNanos, effects);
      case Event.Submit submit -> submit(submit, effects);
      case Event.Cancel(var nowNanos, var ticket) -> cancel(ticket);
      case Event.Received(var nowNanos, Message.Reply reply) ->
          received(nowNanos, reply, null, effects);
      case Event.Received(var nowNanos, Message.SeenReply(var reply, var seen)) ->
          received(nowNanos, reply, seen, effects);
      case Event.Received(var nowNanos, Message.BeaconAnswer answer) -> fastest.answered(answer);
      case Event.Received received -> {} // For replicas.
    }
    return effects;
  }

  /** When the next {@link Event.Tick} is due; {@link Long#MAX_VALUE} if none is. */
  public long nextTickNanos() {
    dropPastAlarms();
    Alarm next = alarms.peek();
    return next == null ? Long.MAX_VALUE : next.atNanos;
  }

  private void submit(Event.Submit submit, List<Effect> effects) {
    Numbers number = numbersOf(submit.service());
    if (submit.update() && number.underWay.size() >= UPDATES_MAX) {
      Answer refusal =
          new Answer.Refused(Reason.OVERLOADED, UPDATES_MAX + " updates are under way already");
      effects.add(new Effect.Complete(submit.ticket(), new Completion.Answered(refusal)));
      return;
    }
    long sequence = submit.update() ? ++number.updates : ++number.reads;
    RequestId id = new RequestId(settings.client(), sequence);
    Pending request = new Pending(submit, id, submit.update() ? number.updating : number.reading);
    if (submit.update()) {
      number.underWay.add(sequence);
      // An update counts after all that its application has seen, also through other clients.
      lastStamp = Math.max(lastStamp, submit.seen() == null ? 0 : submit.seen().stamp());
      request.stampAs(nextStamp(submit.nowNanos()));
    } else {
      Message.Beacon beacon = fastest.beacon(submit.service(), submit.nowNanos());
      if (beacon != null) {
        effects.add(new Effect.Multicast(submit.service(), beacon));
      }
    }
    pending.put(request.key(), request);
    tickets.put(submit.ticket(), request);
    send(request, submit.nowNanos(), effects);
  }

  private void tick(long nowNanos, List<Effect> effects) {
    for (dropPastAlarms(); ; dropPastAlarms()) {
      Alarm next = alarms.peek();
      if (next == null || next.atNanos > nowNanos) {
        return;
      }
      alarms.remove();
      if (nowNanos >= next.request.submit.deadlineNanos()) {
        complete(next.request, next.request.atDeadline(), effects);
      } else if (nowNanos < next.request.retryNanos) {
        askNext(1, next.request, nowNanos, effects);
        alarm(next.request, nowNanos);
      } else {
        noteSilent(next.request, nowNanos);
        send(next.request, nowNanos, effects);
      }
    }
  }

  private void noteSilent(Pending request, long nowNanos) {
    for (long replica : request.asked) {
      if (!request.executedBy.contains(replica)) {
        fastest.silent(replica, nowNanos);
      }
    }
  }

  /** Alarms of requests that have ended, or that were sent again since for another reason. */
  private void dropPastAlarms() {
    for (Alarm next = alarms.peek(); next != null && next.isPast(); next = alarms.peek()) {
      alarms.remove();
    }
  }

  private void send(Pending request, long nowNanos, List<Effect> effects) {
    int attempt = request.attempt++;
    Event.Submit submit = request.submit;
    request.asked.clear();
    if (submit.update()) {
      int more = Math.max(attempt, fastest.silentAmongFirst(settings.acks(), request.id, nowNanos));
      more = request.asksAll() ? Math.max(more, settings.replicas().size()) : more;
      askFirst(settings.acks() + more, request);
      effects.add(
          new Effect.Multicast(
              submit.service(),
              new Message.Update(
                  submit.service(),
                  new Entry(request.id, request.stamp, submit.call()),
                  more,
                  settings.acks(),
                  numbersOf(submit.service()).answeredBelow())));
    } else {
      askNext(submit.reads().hedged() ? 1 : submit.reads().replicas(), request, nowNanos, effects);
    }
    request.retryNanos = nowNanos + waitNanos(request, attempt);
    alarm(request, nowNanos);
  }

  private long waitNanos(Pending request, int attempt) {
    long mostNanos = settings.retryAfterMillis() * NANOS_PER_MILLI;
    return attempt == 0
        ? request.latency.lostAfterNanos(mostNanos)
        : mostNanos * Math.min(1L << Math.min(attempt - 1, 30), WAIT_FACTOR_MAX);
  }

  private void alarm(Pending request, long nowNanos) {
    long atNanos = Math.min(request.retryNanos, request.submit.deadlineNanos());
    if (request.mayAskMore()) {
      long usualNanos = settings.retryAfterMillis() * NANOS_PER_MILLI;
      atNanos = Math.min(atNanos, nowNanos + request.latency.unusualAfterNanos(usualNanos));
    }
    alarms.add(new Alarm(atNanos, request, ++request.alarms));
  }

  /** Asks so many more replicas to execute a read. */
  private void askNext(int count, Pending request, long nowNanos, List<Effect> effects) {
    long service = request.submit.service();
    Message.Read plain = new Message.Read(service, request.id, request.submit.call());
    Seen seen = request.submit.seen();
    Message read = seen == null ? plain : new Message.SeenRead(plain, seen);
    int more = count;
    for (long replica : fastest.order(service, request.id, request.attempt - 1, nowNanos)) {
      if (more > 0 && !request.asked.contains(replica)) {
        more--;
        request.asked.add(replica);
        effects.add(new Effect.Send(replica, read));
      }
    }
  }

  private void askFirst(int count, Pending request) {
    for (long replica : settings.replicas()) {
      if (Rendezvous.rank(request.id, replica, settings.replicas()) < count) {
        request.asked.add(replica);
      }
    }
  }

  private void received(
      long nowNanos, Message.Reply reply, @Nullable Seen seen, List<Effect> effects) {
    if (reply.id().client() != settings.client()
        || !settings.replicas().contains(reply.replica())) {
      return;
    }
    fastest.heard(reply.replica(), reply.load());
    if (!(reply.answer() instanceof Answer.Refused)) {
      follow(reply.stamp(), nowNanos);
    }
    Pending request = pending.get(new Key(reply.service(), reply.update(), reply.id().sequence()));
    if (request == null) {
      return;
    }
    switch (reply.answer()) {
      case Answer.Returned returned -> executed(request, reply, seen, nowNanos, effects);
      case Answer.Threw threw -> executed(request, reply, seen, nowNanos, effects);
      case Answer.Refused(var reason, var detail) ->
          refused(request, reason, reply, nowNanos, effects);
    }
  }

  private void executed(
      Pending request,
      Message.Reply reply,
      @Nullable Seen seen,
      long nowNanos,
      List<Effect> effects) {
    Answer first = request.answer == null ? reply.answer() : request.answer;
    request.answer = first;
    if (!request.executedBy.contains(reply.replica())) {
      request.executedBy.add(reply.replica());
    }
    int needed = request.submit.update() ? settings.acks() : 1;
    if (request.executedBy.size() >= needed) {
      request.latency.answeredAfter(nowNanos - request.submit.nowNanos());
      saw(request, seen, effects);
      complete(request, new Completion.Answered(first), effects);
    }
  }

  private void saw(Pending request, @Nullable Seen byRead, List<Effect> effects) {
    Event.Submit submit = request.submit;
    Seen seen = submit.update() ? Seen.of(request.id, request.stamp) : byRead;
    if (submit.seen() != null && seen != null) {
      effects.add(new Effect.Saw(submit.ticket(), seen));
    }
  }

  private void refused(
      Pending request, Reason reason, Message.Reply reply, long nowNanos, List<Effect> effects) {
    switch (reason) {
      case UNKNOWN_SERVICE, UNKNOWN_METHOD, BAD_ARGUMENTS ->
          complete(request, new Completion.Answered(reply.answer()), effects);
      case RESULT_FORGOTTEN -> complete(request, new Completion.Unknown(request.attempt), effects);
      case STAMP_EXPIRED -> expired(request, reply, nowNanos, effects);
      case STAMP_AHEAD -> stampAgain(request, reply, nowNanos, effects);
      case JOINING -> {
        fastest.silent(reply.replica(), nowNanos);
        sendAgainOnce(request, nowNanos, effects);
      }
      case BEHIND -> {
        request.behind = reply.answer();
        sendAgainOnce(request, nowNanos, effects);
      }
      case OVERLOADED -> { // The next attempt may find room.
        if (request.refusals == null) {
          request.refusals =
              new Refusals(reply.answer(), settings.replicas(), request.submit.deadlineNanos());
        }
      }
    }
  }

  /**
   * Another replica may have what this one lacks; once per request, so that refusals do not
   * multiply sendings.
   */
  private void sendAgainOnce(Pending request, long nowNanos, List<Effect> effects) {
    if (!request.sentAgain) {
      request.sentAgain = true;
      send(request, nowNanos, effects);
    }
  }

  /**
   * The request needs a new stamp; but one that replicas had no room for ends here if it is known
   * by now that none has executed it.
   */
  private void expired(Pending request, Message.Reply reply, long nowNanos, List<Effect> effects) {
    Refusals refusals = request.refusals;
    if (refusals == null) {
      stampAgain(request, reply, nowNanos, effects);
      return;
    }
    switch (refusals.expired(reply, request.latestStamp, request.attempt, nowNanos)) {
      case NOBODY_WILL -> complete(request, new Completion.Answered(refusals.first()), effects);
      case ASK_ALL -> send(request, nowNanos, effects);
      case STAMP_AGAIN -> stampAgain(request, reply, nowNanos, effects);
      case WAIT -> {}
    }
  }

  /**
   * The replica's clock says how far this one is off. The id stays: whoever executed it will not do
   * so again.
   */
  private void stampAgain(
      Pending request, Message.Reply reply, long nowNanos, List<Effect> effects) {
    if (!request.submit.update() || request.stampedAgainAt == request.attempt) {
      return; // Answers of several replicas to one attempt say the same.
    }
    clockAheadMillis = Stamp.millis(reply.stamp()) - Stamp.millis(Stamp.atNanos(nowNanos));
    lastStamp = Math.min(lastStamp, reply.stamp());
    request.stampAs(nextStamp(nowNanos));
    send(request, nowNanos, effects);
    request.stampedAgainAt = request.attempt;
  }

  private void complete(Pending request, Completion completion, List<Effect> effects) {
    end(request);
    effects.add(new Effect.Complete(request.submit.ticket(), completion));
  }

  private void cancel(long ticket) {
    Pending request = tickets.get(ticket);
    if (request != null) {
      end(request);
    }
  }

  private void end(Pending request) {
    request.done = true;
    pending.remove(request.key());
    tickets.remove(request.submit.ticket());
    if (request.submit.update()) {
      numbersOf(request.submit.service()).underWay.remove(request.id.sequence());
    }
  }

  private Numbers numbersOf(long service) {
    return numbers.computeIfAbsent(service, each -> new Numbers());
  }

  private long nextStamp(long nowNanos) {
    lastStamp = Math.max(clockStamp(nowNanos), lastStamp + 1);
    return lastStamp;
  }

  /** What is asked for from now on counts after all that the replica had executed. */
  private void follow(long stamp, long nowNanos) {
    if (Stamp.millis(stamp) <= Stamp.millis(clockStamp(nowNanos)) + Stamp.AHEAD_MAX_MILLIS) {
      lastStamp = Math.max(lastStamp, stamp);
    }
  }

  private long clockStamp(long nowNanos) {
    return Stamp.atNanos(nowNanos + clockAheadMillis * NANOS_PER_MILLI);
  }

  private record Key(long service, boolean update, long sequence) {}

  private static final class Pending {
    final Event.Submit submit;
    final RequestId id;
    final Latency latency;
    final List<Long> asked = new ArrayList<>(1);
    final List<Long> executedBy = new ArrayList<>(1);
    @Nullable Answer answer;
    @Nullable Answer behind;
    @Nullable Refusals refusals;
    long stamp;
    long latestStamp;
    int attempt;
    int stampedAgainAt;
    int alarms;
    long retryNanos;
    boolean sentAgain;
    boolean done;

    Pending(Event.Submit submit, RequestId id, Latency latency) {
      this.submit = submit;
      this.id = id;
      this.latency = latency;
    }

    void stampAs(long newStamp) {
      stamp = newStamp;
      latestStamp = Math.max(latestStamp, newStamp);
    }

    boolean asksAll() {
      return refusals != null && refusals.asksAll();
    }

    /** Whether other replicas are asked before this attempt is over. */
    boolean mayAskMore() {
      return !submit.update()
          && submit.reads().hedged()
          && asked.size() < submit.reads().replicas();
    }

    /** A read that was refused was not executed: that is known. */
    Completion atDeadline() {
      return behind == null ? new Completion.Unknown(attempt) : new Completion.Answered(behind);
    }

    Key key() {
      return new Key(submit.service(), submit.update(), id.sequence());
    }
  }

  /** When to look at a request again, unless it was sent again before. */
  private record Alarm(long atNanos, Pending request, int number) implements Comparable<Alarm> {
    boolean isPast() {
      return request.done || request.alarms != number;
    }

    @Override
    public int compareTo(Alarm that) {
      return Long.compare(atNanos, that.atNanos);
    }
  }
}
