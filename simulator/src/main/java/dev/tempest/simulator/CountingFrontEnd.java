package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A process whose callers count through the front-end that users run, one thing after the other.
 * What is refused may not count, and nothing ends as unknown before its deadline, unless servers
 * remember few clients and keep no answers.
 */
final class CountingFrontEnd {
  private static final long MILLI = 1_000_000;

  /** So many threads. */
  static final int CALLERS = 2;

  private static final int UPDATE_PERCENT = 60;
  private static final int RETRY_AFTER_MILLIS = 50;
  private static final ServiceMethod NEXT_BY = CountingClient.method("nextBy");
  private static final ServiceMethod LATEST = CountingClient.method("latest");

  private final CountingWorld world;
  private final int place;
  private final Randomness random;
  private final KnownReplicas replicas;
  private final FrontEndMachine machine;
  private final Map<Long, Asked> open = new LinkedHashMap<>();

  /** What none of its servers may have executed. */
  private final List<Asked> refused = new ArrayList<>();

  private final CountingVotes votes = new CountingVotes();
  private long tickets;
  private long ticksAtNanos = Long.MAX_VALUE;

  /** A thread of it, with all that this has seen. */
  private static final class Caller {
    final int number;
    final long client;
    Seen seen = Seen.NOTHING;

    Caller(int number, long client) {
      this.number = number;
      this.client = client;
    }
  }

  private record Asked(
      Caller by, long ticket, CountingHistory.Operation operation, long deadlineNanos) {}

  CountingFrontEnd(CountingWorld world, int place, Randomness random) {
    this.world = world;
    this.place = place;
    this.random = random;
    List<Long> guesses = new ArrayList<>();
    for (int server = 0; server < world.size(); server++) {
      guesses.add(random.nextLong());
    }
    this.replicas = new KnownReplicas(guesses, world.clockNanos());
    this.machine =
        FrontEndMachine.production(
            new Requests.Settings(random.nextLong(), replicas.ids()),
            Orders.routing(world.limits().ofLog()));
  }

  /** How many answers it knew by votes, or could have. */
  int chosen() {
    return votes.chosen();
  }

  /** Its callers begin. */
  void begin() {
    for (int number = 0; number < CALLERS; number++) {
      Caller caller = new Caller(number, random.nextLong());
      step(
          new Event.Open(
              world.clockNanos(), caller.client, random.between(1, 2), RETRY_AFTER_MILLIS, 1));
      askLater(caller);
    }
  }

  private void askLater(Caller caller) {
    if (world.takesRequests()) {
      world.after(random.below(world.pauseMaxMillis() * 1_000) * 1_000L, () -> ask(caller));
    }
  }

  private void ask(Caller caller) {
    boolean isUpdate = random.chance(UPDATE_PERCENT);
    long ticket = ++tickets;
    int user = place * CALLERS + caller.number;
    var operation = new CountingHistory.Operation(user, isUpdate, world.nowNanos());
    world.history().add(operation);
    long deadlineNanos = world.clockNanos() + world.limits().deadlineMillis() * MILLI;
    open.put(ticket, new Asked(caller, ticket, operation, deadlineNanos));
    boolean isChained = world.order().reads() == Order.ByConsensus.Reads.SESSION;
    step(
        new Event.Submit(
            world.clockNanos(),
            caller.client,
            ticket,
            ConsensusWorld.SERVICE,
            isUpdate,
            isUpdate ? CountingClient.call(NEXT_BY, ticket) : CountingClient.call(LATEST),
            deadlineNanos,
            random.chance(50) ? Reads.of(1) : Reads.hedged(2),
            isChained || random.chance(30) ? caller.seen : null));
  }

  /** Something has come from a server. */
  void received(int from, Message message) {
    if (!(message instanceof Message.RequestMessage answer)) {
      return;
    }
    if (answer instanceof Message.Reply reply && reply.part() instanceof OrderPart.Voted voted) {
      votes.add(reply, voted);
    }
    boolean isOther = replicas.learn(from, world.servers().get(from).id());
    if (message instanceof Message.BeaconAnswer beacon) {
      isOther |= replicas.stayed(from, beacon.upMillis(), world.clockNanos());
    }
    if (isOther) {
      step(
          new Event.ReplicasChanged(
              world.clockNanos(), replicas.ids(), replicas.takeGone(), replicas.takeGuesses()));
    }
    step(new Event.Received(world.clockNanos(), answer));
  }

  private void step(Event event) {
    for (Effect effect : effects(event)) {
      switch (effect) {
        case Effect.Multicast(long service, Message message) -> {
          for (int server = 0; server < world.size(); server++) {
            world.send(place, server, message);
          }
        }
        case Effect.Send(long replica, Message message) -> {
          int server = replicas.node(replica);
          if (server >= 0) {
            world.send(place, server, message);
          }
        }
        case Effect.Saw(long ticket, Seen seen) -> {
          Caller caller = Objects.requireNonNull(open.get(ticket)).by();
          caller.seen = caller.seen.max(seen);
        }
        case Effect.Complete(long ticket, Completion how) -> ended(ticket, how);
      }
    }
    tickLater();
  }

  private List<Effect> effects(Event event) {
    try {
      List<Effect> effects = machine.step(event);
      machine.checkInvariants();
      return effects;
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(
          Violation.Kind.THREW, "a front-end threw " + thrown + " at " + event, thrown);
    }
  }

  private void tickLater() {
    long dueNanos = machine.nextTickNanos();
    if (dueNanos < ticksAtNanos) {
      ticksAtNanos = dueNanos;
      world.after(
          Math.max(0, dueNanos - world.clockNanos()),
          () -> {
            if (ticksAtNanos == dueNanos) {
              ticksAtNanos = Long.MAX_VALUE;
              step(new Event.Tick(world.clockNanos()));
            }
          });
    }
  }

  private void ended(long ticket, Completion how) {
    Asked asked = Objects.requireNonNull(open.remove(ticket));
    switch (how) {
      case Completion.Answered(Answer.Returned(var value)) -> {
        ServiceMethod method = asked.operation().isUpdate ? NEXT_BY : LATEST;
        long number = (long) Objects.requireNonNull(method.decodeResult(value));
        asked.operation().answered(number, world.nowNanos());
      }
      case Completion.Answered(Answer.Refused refusal) -> {
        asked.operation().givenUp = true;
        refused.add(asked);
      }
      case Completion.Unknown(int attempts, Answer.Refused refusal) -> unknown(asked);
      case Completion.Answered(Answer.Threw threw) ->
          throw new Violation.Found(new Violation(Violation.Kind.NOT_ONCE, asked + ": " + threw));
      case Completion.Closed closed -> throw new IllegalStateException("nobody closes it");
    }
    askLater(asked.by());
  }

  private void unknown(Asked asked) {
    asked.operation().givenUp = true;
    boolean isEarly = world.clockNanos() < asked.deadlineNanos();
    if (isEarly && !world.limits().areForFewClients()) { // Where these are, answers are not kept.
      throw new Violation.Found(
          new Violation(Violation.Kind.WRONG_OUTCOME, asked + " was given up before its deadline"));
    }
  }

  /** What was refused, and counts. */
  List<Violation> wrong() {
    List<Violation> wrong = new ArrayList<>();
    for (ConsensusServer server : world.servers()) {
      Map<String, Object> contents = server.service().contents(server.machine().version());
      for (Asked each : refused) {
        if (OlderCountingService.hasCounted(contents, each.ticket())) {
          wrong.add(
              new Violation(
                  Violation.Kind.WRONG_OUTCOME,
                  "%s was refused, and counts at %s".formatted(each, server.name())));
        }
      }
    }
    return wrong;
  }
}
