package dev.tempest.protocol.frontend;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.order.Routing;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the front-ends of one process: names them, and sends them again, under the same
 * name, until they are answered or their deadline passes (Tempest, section 3.1). Front-ends have
 * names and numbers of their own; what they learn of the replicas they share.
 *
 * <p>An update goes to all replicas; what it carries, who replies and what a refusal means is the
 * matter of the {@link Routing} of its order. A read goes to those that are fast now, as many as
 * its {@link Reads} say, and with each attempt to the next. The first wait of a request depends on
 * what answers usually take, and on how many others were sent again lately ({@link RetryBudget}).
 * Every ticket is completed exactly once, unless it is cancelled. Does not know where replicas are;
 * if they change, all that has not ended goes on under its name with those that are there then.
 *
 * <p>Not thread-safe: its owner calls {@link #step} from one thread at a time.
 */
public final class Requests {
  /**
   * So many updates of one service may have begun per front-end since the oldest that has not
   * ended: replicas keep as many of a client's latest answers. Others wait for their turn.
   */
  public static final int UPDATES_MAX = 1_024;

  /** So many requests of a front-end at most have not ended; further ones are refused. */
  public static final int REQUESTS_MAX = 16_384;

  /** What happens to it. Times as in {@link dev.tempest.protocol.Event}. */
  public sealed interface Event {
    /** When it happens. */
    long nowNanos();

    /** Time has passed. */
    record Tick(long nowNanos) implements Event {}

    /**
     * A front-end opens.
     *
     * @param client 64 random bits of this incarnation
     * @param acks how many replicas must have executed an update before it completes
     * @param retryAfterMillis how long to wait for the first answer before sending again, at most
     * @param firstUpdate the number of its first update of each service, mostly 1
     */
    record Open(long nowNanos, long client, int acks, int retryAfterMillis, long firstUpdate)
        implements Event {
      /** Refuses what cannot work. */
      public Open {
        if (acks < 1) {
          throw new IllegalArgumentException("at least 1 replica executes, not " + acks);
        }
        if (retryAfterMillis < 1) {
          throw new IllegalArgumentException("retry after at least 1 ms, not " + retryAfterMillis);
        }
      }
    }

    /** A front-end closes: what it has under way completes as closed. */
    record Close(long nowNanos, long client) implements Event {}

    /**
     * The application asks through an open front-end.
     *
     * @param ticket names the request, and comes back in {@link Effect.Complete}
     * @param update whether the method is an update or a read
     * @param deadlineNanos when to give up
     * @param reads whom to ask, if it is a read
     * @param seen what a replica has to have executed before it answers a read; null if the
     *     application neither says nor wants to know
     */
    record Submit(
        long nowNanos,
        long client,
        long ticket,
        long service,
        boolean update,
        Call call,
        long deadlineNanos,
        Reads reads,
        @Nullable Seen seen)
        implements Event {}

    /** Nobody waits for it any more: it is not sent again, and not completed. */
    record Cancel(long nowNanos, long client, long ticket) implements Event {}

    /**
     * The replicas are others now.
     *
     * @param replicas the ids of all replicas, ascending; none while none is known
     * @param gone those who are none any more; not those whose ids were guesses until now
     * @param guesses ids of before that have stood for nobody but replicas that are there
     */
    record ReplicasChanged(long nowNanos, List<Long> replicas, List<Long> gone, List<Long> guesses)
        implements Event {
      /** Keeps copies. */
      public ReplicasChanged {
        replicas = List.copyOf(replicas);
        gone = List.copyOf(gone);
        guesses = List.copyOf(guesses);
      }
    }

    /** No replica understands what is sent to it: all that is under way ends as unknown. */
    record NotUnderstood(long nowNanos) implements Event {}

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

    /** The deadline passed, after so many attempts; somebody may have said that it cannot be. */
    record Unknown(int attempts, Answer.@Nullable Refused refusal) implements Completion {}

    /** Its front-end was closed: it may or may not have been executed. */
    record Closed() implements Completion {}
  }

  /**
   * Whom front-ends ask.
   *
   * @param self 64 random bits that name what the process sends for all its front-ends
   * @param replicas the ids of all replicas, ascending; none while none is known
   * @param updatesMax of a front-end and a service so many updates are under way from the oldest on
   */
  public record Settings(long self, List<Long> replicas, int updatesMax) {
    /** Keeps a copy. */
    public Settings {
      replicas = List.copyOf(replicas);
    }

    /** With as many updates under way as usual. */
    public Settings(long self, List<Long> replicas) {
      this(self, replicas, UPDATES_MAX);
    }
  }

  /** What takes equally long: the reads of a service, or its updates with so many acks. */
  private record Kind(long service, int acks) {}

  private final Routing routing;
  private final int updatesMax;
  private List<Long> replicas;
  private final Map<Long, Caller> callers = new LinkedHashMap<>();
  private final Map<Kind, Latency> latencies = new LinkedHashMap<>();
  private final Retries retries = new Retries();
  private final Fastest fastest;

  /** No front-ends yet. */
  public Requests(Settings settings, Routing routing) {
    this.routing = routing;
    this.updatesMax = settings.updatesMax();
    this.replicas = settings.replicas();
    this.fastest = new Fastest(settings.self(), settings.replicas());
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    List<Effect> effects = new ArrayList<>(2);
    switch (event) {
      case Event.Tick(var nowNanos) -> tick(nowNanos, effects);
      case Event.Open open -> open(open);
      case Event.Close(var nowNanos, var client) -> close(client, effects);
      case Event.Submit submit -> submit(submit, effects);
      case Event.Cancel cancel -> cancel(cancel, effects);
      case Event.ReplicasChanged changed -> change(changed, effects);
      case Event.NotUnderstood(var nowNanos) -> endAll(nowNanos, effects);
      case Event.Received(var nowNanos, Message.Reply reply) ->
          received(nowNanos, reply, null, effects);
      case Event.Received(var nowNanos, Message.SeenReply(var reply, var seen)) ->
          received(nowNanos, reply, seen, effects);
      case Event.Received(var nowNanos, Message.BeaconAnswer answer) ->
          fastest.answered(answer, nowNanos);
      case Event.Received received -> {} // For replicas.
    }
    return effects;
  }

  /** When the next {@link Event.Tick} is due; {@link Long#MAX_VALUE} if none is. */
  public long nextTickNanos() {
    return retries.nextNanos();
  }

  /** Whether a replica does not answer what it is asked. */
  public boolean isAnySilent(long nowNanos) {
    return !fastest.silent(nowNanos).isEmpty();
  }

  /** Throws an {@link AssertionError} if it does not hold together; for simulations. */
  public void checkInvariants() {
    List<Pending> all = new ArrayList<>();
    callers.forEach((client, caller) -> {
      Invariant.check(caller.client == client, "a front-end is found by its own name");
      Invariant.check(caller.size() <= REQUESTS_MAX, "no more requests are under way than may");
      caller.checkInvariants();
      all.addAll(caller.all());
    });
    retries.checkInvariants(all);
  }

  private void open(Event.Open open) {
    callers.put(open.client(), new Caller(open, updatesMax));
  }

  private void close(long client, List<Effect> effects) {
    Caller caller = callers.remove(client);
    if (caller != null) {
      for (Pending request : caller.all()) {
        request.done = true;
        effects.add(new Effect.Complete(request.submit.ticket(), new Completion.Closed()));
      }
    }
  }

  private void endAll(long nowNanos, List<Effect> effects) {
    for (Caller caller : callers.values()) {
      for (Pending request : caller.all()) {
        complete(request, request.unknown(), nowNanos, effects);
      }
    }
  }

  private void submit(Event.Submit submit, List<Effect> effects) {
    Caller caller = callers.get(submit.client());
    if (caller == null) {
      effects.add(new Effect.Complete(submit.ticket(), new Completion.Closed()));
      return;
    }
    if (caller.size() >= REQUESTS_MAX) {
      Completion refusal = Pending.overloaded(REQUESTS_MAX + " requests are under way already");
      effects.add(new Effect.Complete(submit.ticket(), refusal));
      return;
    }
    Kind kind = new Kind(submit.service(), submit.update() ? caller.acks : 0);
    Latency latency = latencies.computeIfAbsent(kind, unknown -> new Latency());
    Pending request = new Pending(caller, submit, latency);
    if (caller.add(request)) {
      begin(request, submit.nowNanos(), effects);
    } else {
      retries.setAlarm(request); // For its deadline.
    }
  }

  private void begin(Pending request, long nowNanos, List<Effect> effects) {
    request.caller.begin(request, nowNanos);
    Event.Submit submit = request.submit;
    if (submit.update()) {
      request.course =
          routing.begin(
              submit.service(), request.id(), submit.seen(), submit.deadlineNanos(), nowNanos);
    } else if (replicas.size() > 1) {
      fastest.ask(submit.service(), nowNanos, effects);
    }
    send(request, nowNanos, effects);
  }

  private void tick(long nowNanos, List<Effect> effects) {
    for (Pending request = retries.takeDue(nowNanos);
        request != null;
        request = retries.takeDue(nowNanos)) {
      if (nowNanos >= request.submit.deadlineNanos()) {
        complete(request, request.atDeadline(), nowNanos, effects);
      } else if (retries.isToRetry(request, nowNanos)) {
        fastest.unanswered(request, nowNanos);
        send(request, nowNanos, effects);
      } else {
        if (nowNanos >= request.askMoreNanos) {
          askNext(1, request, nowNanos, effects);
        }
        retries.setAlarm(request);
      }
    }
  }

  private void send(Pending request, long nowNanos, List<Effect> effects) {
    int attempt = request.attempt++;
    Event.Submit submit = request.submit;
    request.sentNanos = nowNanos;
    request.asksOthers(replicas.size());
    request.askMoreNanos = Long.MAX_VALUE;
    Routing.Course course = request.course;
    if (course != null) {
      int acks = request.caller.acks;
      var asked = course.ask(acks, attempt, replicas, fastest.silent(nowNanos));
      request.asked.addAll(asked.replicas());
      effects.add(
          new Effect.Multicast(
              submit.service(),
              new Message.Update(
                  submit.service(),
                  request.id(),
                  course.part(),
                  submit.call(),
                  asked.attempt(),
                  acks,
                  request.caller.answeredBelow(submit.service()))));
    } else {
      askNext(submit.reads().hedged() ? 1 : submit.reads().replicas(), request, nowNanos, effects);
    }
    retries.sent(request, attempt, nowNanos);
  }

  /** Asks so many more replicas to execute a read. */
  private void askNext(int count, Pending request, long nowNanos, List<Effect> effects) {
    long service = request.submit.service();
    Message.Read plain = new Message.Read(service, request.id(), request.submit.call());
    Seen seen = request.submit.seen();
    Message read = seen == null ? plain : new Message.SeenRead(plain, seen);
    int more = count;
    for (long replica : fastest.order(request, nowNanos)) {
      if (more > 0 && !request.asked.contains(replica)) {
        more--;
        request.asked.add(replica);
        effects.add(new Effect.Send(replica, read));
      }
    }
    request.askMoreNanos =
        request.mayAskMore()
            ? nowNanos + request.latency.unusualAfterNanos(request.caller.retryAfterNanos)
            : Long.MAX_VALUE;
  }

  /** What has asked none of those that are there now asks them at once. */
  private void change(Event.ReplicasChanged changed, List<Effect> effects) {
    replicas = changed.replicas();
    fastest.change(replicas);
    for (Caller caller : callers.values()) {
      for (Pending request : caller.all()) {
        request.changed(changed);
        if (request.hasBegun() && Collections.disjoint(request.asked, replicas)) {
          send(request, changed.nowNanos(), effects);
        }
      }
    }
  }

  private void received(
      long nowNanos, Message.Reply reply, @Nullable Seen seen, List<Effect> effects) {
    Caller caller = callers.get(reply.id().client());
    if (caller == null || !replicas.contains(reply.replica())) {
      return;
    }
    fastest.heard(reply.replica(), reply.load(), nowNanos);
    Pending request =
        caller.of(new Caller.Key(reply.service(), reply.update(), reply.id().sequence()));
    if (request == null || !request.counts(reply)) {
      return;
    }
    switch (reply.answer()) {
      case Answer.Returned returned -> executed(request, reply, seen, nowNanos, effects);
      case Answer.Threw threw -> executed(request, reply, seen, nowNanos, effects);
      case Answer.Refused refusal -> refused(request, refusal, reply, nowNanos, effects);
    }
  }

  private void executed(
      Pending request,
      Message.Reply reply,
      @Nullable Seen seen,
      long nowNanos,
      List<Effect> effects) {
    routing.executed(reply.service(), reply.part(), nowNanos);
    Answer first = request.take(reply);
    if (request.executedBy.size() >= (request.submit.update() ? request.caller.acks : 1)) {
      retries.answered(nowNanos);
      request.latency.answeredAfter(nowNanos - request.begunNanos);
      Seen saw = request.saw(reply.part(), seen);
      if (saw != null) {
        effects.add(new Effect.Saw(request.submit.ticket(), saw));
      }
      complete(request, new Completion.Answered(first), nowNanos, effects);
    }
  }

  private void refused(
      Pending request,
      Answer.Refused refusal,
      Message.Reply reply,
      long nowNanos,
      List<Effect> effects) {
    switch (refusal.reason()) {
      case UNKNOWN_SERVICE, UNKNOWN_METHOD, BAD_ARGUMENTS, STOPPED -> {
        boolean isNews = request.cannotBe(reply.replica(), refusal);
        boolean isHeardByAll = refusal.reason() == Reason.UNKNOWN_SERVICE;
        impossible(request, isNews && !isHeardByAll, nowNanos, effects);
      }
      case RESULT_FORGOTTEN -> complete(request, request.unknown(), nowNanos, effects);
      case JOINING, SUSPENDED -> {
        fastest.silent(reply.replica(), nowNanos);
        sendAgainOnce(request, nowNanos, effects);
      }
      case BEHIND -> {
        request.behind = reply.answer();
        sendAgainOnce(request, nowNanos, effects);
      }
      case STAMP_EXPIRED, STAMP_AHEAD, OVERLOADED -> follow(request, reply, nowNanos, effects);
    }
  }

  /** Others may be able to, or have done it; nobody is if all say so. Some speak only if asked. */
  private void impossible(Pending request, boolean asks, long nowNanos, List<Effect> effects) {
    if (request.isImpossible(replicas)) {
      complete(request, request.impossible(), nowNanos, effects);
    } else if (!request.submit.update()) {
      askNext(1, request, nowNanos, effects);
    } else if (asks) {
      send(request, nowNanos, effects);
    }
  }

  private void follow(Pending request, Message.Reply reply, long nowNanos, List<Effect> effects) {
    Routing.Course course = request.course;
    if (course == null) {
      return; // The next attempt of a read asks another replica.
    }
    switch (course.refused(reply, request.attempt, nowNanos)) {
      case Routing.Next.Wait wait -> fastest.ask(reply.service(), nowNanos, effects);
      case Routing.Next.Send send -> send(request, nowNanos, effects);
      case Routing.Next.End(Answer answer) -> {
        if (request.answer == null) { // Who executed it may have lost its memory since.
          complete(request, new Completion.Answered(answer), nowNanos, effects);
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

  private void complete(
      Pending request, Completion completion, long nowNanos, List<Effect> effects) {
    effects.add(new Effect.Complete(request.submit.ticket(), completion));
    end(request, nowNanos, effects);
  }

  private void cancel(Event.Cancel cancel, List<Effect> effects) {
    Caller caller = callers.get(cancel.client());
    Pending request = caller == null ? null : caller.of(cancel.ticket());
    if (request != null) {
      end(request, cancel.nowNanos(), effects);
    }
  }

  /** Makes room for one that waits. */
  private void end(Pending request, long nowNanos, List<Effect> effects) {
    Caller caller = request.caller;
    long service = request.submit.service();
    caller.end(request);
    for (Pending next = caller.takeNext(service); next != null; next = caller.takeNext(service)) {
      if (nowNanos < next.submit.deadlineNanos()) {
        begin(next, nowNanos, effects);
      } else {
        caller.end(next);
        effects.add(new Effect.Complete(next.submit.ticket(), next.atDeadline()));
      }
    }
  }
}
