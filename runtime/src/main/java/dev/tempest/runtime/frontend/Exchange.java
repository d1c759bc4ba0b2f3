package dev.tempest.runtime.frontend;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.Orders;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.Versions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What the front-ends of a process say to the servers, and what these answer: takes each message to
 * the machine that it is for, and does what the machines want done.
 *
 * <p>Not thread-safe: its owner guards it, but for what any thread may call.
 */
final class Exchange implements AutoCloseable {
  /** For so many turns at most what is due waits for what has arrived. */
  private static final int TURNS_BEHIND_MAX = 16;

  private final Channel channel;
  private final MonotonicClock clock;
  private final PendingCalls calls;
  private final Executor driving;
  private final Requests requests;
  private final Questions questions = new Questions();
  private final KeyedCalls keyed = new KeyedCalls();

  /** Front-ends, as they were opened. */
  private final Map<Long, Requests.Event.Open> open = new HashMap<>();

  private int turnsBehind;

  /**
   * Names what it sends by {@code self}, and tells {@code calls} what has ended; {@code driving}
   * lets other threads have something done in its owner's.
   */
  Exchange(Channel channel, long self, MonotonicClock clock, PendingCalls calls, Executor driving) {
    this.channel = channel;
    this.clock = clock;
    this.calls = calls;
    this.driving = driving;
    this.requests = new Requests(new Requests.Settings(self, channel.replicas()), Orders.routing());
  }

  /** Lets a front-end ask. */
  void open(long client, int acks, int retryAfterMillis) {
    var opened = new Requests.Event.Open(clock.nowNanos(), client, acks, retryAfterMillis, 1);
    open.put(client, opened);
    step(opened);
  }

  /** Ends what a front-end has asked, and lets it ask no more. */
  void close(long client) {
    open.remove(client);
    keyed.askedBy(client).forEach(each -> end(each.id().client()));
    end(client);
    perform(questions.close(client));
  }

  /** Asks a service. */
  void submit(long ticket, Submission submission, long deadlineNanos) {
    Seen seen = submission.seen();
    if (seen != null) {
      calls.beganInChain(ticket, more -> submission.saw(seen, more));
    }
    RequestId id = submission.once();
    if (id == null || beginKeyed(id, submission.client(), ticket)) {
      step(
          new Requests.Event.Submit(
              clock.nowNanos(),
              id == null ? submission.client() : id.client(),
              ticket,
              submission.service(),
              submission.update(),
              submission.call(),
              deadlineNanos,
              submission.reads(),
              seen));
    }
  }

  /** Whether it is to be asked now; else another one of the same name is under way. */
  private boolean beginKeyed(RequestId id, long owner, long ticket) {
    KeyedCalls.Keyed same = keyed.of(id.client());
    Requests.Event.Open as = open.get(owner);
    if (same == null && as != null) {
      keyed.begin(id, owner, ticket);
      step(
          new Requests.Event.Open(
              clock.nowNanos(), id.client(), as.acks(), as.retryAfterMillis(), id.sequence()));
      return true;
    }
    if (same != null && same.id().equals(id)) {
      same.tickets().add(ticket);
    } else {
      calls.complete(ticket, new Ending.Closed());
    }
    return false;
  }

  private void end(long client) {
    step(new Requests.Event.Close(clock.nowNanos(), client));
  }

  /** Forgets what a service was asked. */
  void cancel(long client, long ticket) {
    step(new Requests.Event.Cancel(clock.nowNanos(), client, ticket));
  }

  /** Asks one server. */
  void ask(Questions.Question question) {
    perform(questions.ask(clock.nowNanos(), question));
  }

  /** Sends what is to be sent. */
  void flush() {
    channel.flush();
  }

  /** Waits until there may be something to do, or {@link #wakeup} is called. Any thread may. */
  void await(long untilNanos) {
    channel.await(
        untilNanos == Long.MAX_VALUE ? untilNanos : Math.max(0, untilNanos - clock.nowNanos()));
  }

  /** Any thread may. */
  void wakeup() {
    channel.wakeup();
  }

  /** Whether the calling thread is the one that answers. Any thread may ask. */
  boolean isAnswering() {
    return channel.isAnswering();
  }

  /** When there is something to do though nothing arrives; {@link Long#MAX_VALUE} for never. */
  long nextTickNanos() {
    return Math.min(requests.nextTickNanos(), questions.nextTickNanos());
  }

  /**
   * Takes so many frames that have arrived, and does what is due. Returns how many it took; if that
   * is all it may, there may be more, and what is due waits for a few turns: after a stall it would
   * ask again for answers that are there already.
   */
  int turn(int batch) {
    int received = channel.receive(batch, this::received);
    Map<String, Versions> others = channel.takeNotUnderstood();
    if (!others.isEmpty()) {
      notUnderstood(others);
    }
    turnsBehind = received < batch ? 0 : turnsBehind + 1;
    if (turnsBehind % TURNS_BEHIND_MAX == 0) {
      tick();
    }
    return received;
  }

  private void tick() {
    long nowNanos = clock.nowNanos();
    if (requests.nextTickNanos() <= nowNanos) {
      step(new Requests.Event.Tick(nowNanos));
      if (requests.isAnySilent(nowNanos)) {
        lookAgain(nowNanos);
      }
    }
    if (questions.nextTickNanos() <= nowNanos) {
      perform(questions.tick(nowNanos));
      lookAgain(nowNanos); // For who was asked has not answered.
    }
  }

  private void lookAgain(long nowNanos) {
    channel.lookAgain(
        nowNanos,
        change ->
            driving.execute(() -> {
              change.run();
              noteChange();
            }));
  }

  private void noteChange() {
    if (channel.takeChanged()) {
      step(
          new Requests.Event.ReplicasChanged(
              clock.nowNanos(), channel.replicas(), channel.takeGone(), channel.takeGuesses()));
    }
  }

  @Override
  public void close() {
    channel.close();
  }

  private void received(Message message) {
    long nowNanos = clock.nowNanos();
    noteChange();
    if (message instanceof Message.RequestMessage answer) {
      step(new Requests.Event.Received(nowNanos, answer));
    } else {
      perform(questions.received(message));
    }
  }

  private void notUnderstood(Map<String, Versions> others) {
    if (channel.otherVersions() != null) {
      step(new Requests.Event.NotUnderstood(clock.nowNanos()));
    }
    perform(questions.notUnderstood(others));
  }

  private void step(Requests.Event event) {
    for (Requests.Effect effect : requests.step(event)) {
      switch (effect) {
        case Requests.Effect.Multicast(long service, Message message) ->
            channel.sendToAll(service, message);
        case Requests.Effect.Send(long replica, Message message) -> channel.send(replica, message);
        case Requests.Effect.Saw(long ticket, Seen seen) ->
            keyed.waiting(ticket).forEach(each -> calls.saw(each, seen));
        case Requests.Effect.Complete(long ticket, Requests.Completion completion) -> {
          complete(ticket, ending(completion));
          if (completion instanceof Requests.Completion.Unknown) {
            lookAgain(clock.nowNanos());
          }
        }
      }
    }
  }

  private void complete(long ticket, Ending ending) {
    KeyedCalls.Keyed named = keyed.end(ticket);
    if (named == null) {
      calls.complete(ticket, ending);
      return;
    }
    named.tickets().forEach(each -> calls.complete(each, ending));
    end(named.id().client());
  }

  private Ending ending(Requests.Completion completion) {
    if (!(completion instanceof Requests.Completion.Unknown(int attempts, var refusal))) {
      return new Ending.OfRequest(completion);
    }
    String why = channel.otherVersions();
    if (why != null) {
      return new Ending.NotUnderstood(why);
    }
    String from = channel.neverHeard();
    return from == null || refusal != null
        ? new Ending.OfRequest(completion)
        : new Ending.NeverHeard(attempts, from);
  }

  private void perform(List<Questions.Effect> effects) {
    for (Questions.Effect effect : effects) {
      switch (effect) {
        case Questions.Effect.Send(String to, int attempt, Message message) ->
            channel.send(to, attempt, message);
        case Questions.Effect.Complete(long ticket, Ending ending) ->
            calls.complete(ticket, ending);
      }
    }
  }
}
