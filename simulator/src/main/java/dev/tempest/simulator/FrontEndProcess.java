package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.protocol.frontend.Requests.Event;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.time.RoutingByTime;
import dev.tempest.wire.Message;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An application with one front-end. */
final class FrontEndProcess extends SimProcess {
  /** There is no log. */
  private static final int BEHIND_LOG_MAX_MILLIS = 1;

  private final FrontEndMachine.Factory factory;
  private final Map<Operation, Runnable> open = new LinkedHashMap<>();

  /** The tags of the updates that its clients know of. */
  private final Set<Long> known = new TreeSet<>();

  private @Nullable FrontEndMachine machine;
  private KnownReplicas replicas;
  private long client;
  private long latestStamp;

  FrontEndProcess(
      Cluster cluster,
      int index,
      String name,
      SimClock clock,
      long stepNanos,
      FrontEndMachine.Factory factory) {
    super(cluster, index, name, clock, stepNanos);
    this.factory = factory;
    this.replicas = new KnownReplicas(cluster.replicaIds(), 0);
  }

  private FrontEndMachine machine() {
    if (machine == null) {
      throw new IllegalStateException(name + " is down");
    }
    return machine;
  }

  @Override
  long senderId() {
    return client;
  }

  @Override
  void create(long clockNanos) {
    Parameters parameters = cluster.parameters();
    client = cluster.random().nextLong();
    latestStamp = 0;
    int life = incarnation().number();
    cluster.names().client(client, life == 0 ? name : name + "." + life);
    replicas = new KnownReplicas(cluster.replicaIds(), clockNanos);
    machine =
        factory.create(
            new Requests.Settings(client, replicas.ids(), parameters.updatesMax()),
            new RoutingByTime(parameters.epochs(), BEHIND_LOG_MAX_MILLIS));
    machine.step(
        new Event.Open(clockNanos, client, parameters.acks(), parameters.retryAfterMillis(), 1));
  }

  @Override
  void crash() {
    super.crash();
    machine = null;
    Map<Operation, Runnable> ended = new LinkedHashMap<>(open);
    open.clear();
    known.clear();
    ended.forEach((operation, onEnd) -> {
      operation.abandon();
      onEnd.run();
    });
  }

  /**
   * Asks for something, from now until the deadline.
   *
   * @param onEnd is run when it has ended, or nobody will ever know how
   */
  Operation submit(Invocation invocation, long deadlineMillis, Runnable onEnd) {
    return submit(invocation, deadlineMillis, null, onEnd);
  }

  /** The same, as part of a chain. */
  Operation submit(
      Invocation invocation, long deadlineMillis, @Nullable SimChain chain, Runnable onEnd) {
    Operation operation =
        new Operation(
            cluster.nextTicket(),
            incarnation(),
            invocation,
            chain,
            knownTo(chain),
            cluster.nowNanos(),
            clockNanos() + deadlineMillis * 1_000_000);
    cluster.history().submitted(operation);
    open.put(operation, onEnd);
    offer(new Input.Submitted(operation));
    return operation;
  }

  /** The time of its latest update: it is not behind what it has seen. */
  long latestMillis() {
    return Stamp.millis(latestStamp);
  }

  private Set<Long> knownTo(@Nullable SimChain chain) {
    Set<Long> tags = new TreeSet<>(known);
    if (chain != null) {
      chain.addKnown(tags);
    }
    return tags;
  }

  @Override
  long nextTickNanos() {
    return machine().nextTickNanos();
  }

  @Override
  void take(Input input, long clockNanos) {
    Outbox outbox = new Outbox();
    List<Operation> ended = new ArrayList<>();
    if (input instanceof Input.Arrived(int from, Message message)
        && learn(from, message, clockNanos)) {
      step(
          new Event.ReplicasChanged(
              clockNanos, replicas.ids(), replicas.takeGone(), replicas.takeGuesses()),
          outbox,
          ended);
    }
    step(event(input, clockNanos), outbox, ended);
    cluster.traceStep(name, input, outbox);
    outbox.leave();
    ended.forEach(this::ended);
  }

  private boolean learn(int from, Message message, long clockNanos) {
    boolean isOther = replicas.learn(from, cluster.process(from).senderId());
    if (message instanceof Message.BeaconAnswer answer) {
      isOther |= replicas.stayed(from, answer.upMillis(), clockNanos);
    }
    return isOther;
  }

  private Event event(Input input, long clockNanos) {
    return switch (input) {
      case Input.Arrived(int from, Message.RequestMessage answer) ->
          new Event.Received(clockNanos, answer);
      case Input.Arrived arrived ->
          throw new IllegalStateException("no reply: " + arrived.message());
      case Input.TimerFired() -> new Event.Tick(clockNanos);
      case Input.Told told -> throw new IllegalStateException("no replica: " + told);
      case Input.Writes writes -> throw new IllegalStateException("no replica: " + writes);
      case Input.EndsWait ends -> throw new IllegalStateException("no replica: " + ends);
      case Input.Submitted(Operation operation) ->
          new Event.Submit(
              clockNanos,
              client,
              operation.ticket,
              cluster.service(),
              operation.invocation.update(),
              operation.invocation.call(),
              operation.deadlineNanos,
              reads(operation),
              operation.chain == null ? null : operation.sent);
    };
  }

  private void step(Event event, Outbox outbox, List<Operation> ended) {
    for (Effect effect : guarded(event)) {
      switch (effect) {
        case Effect.Multicast(long service, Message message) -> {
          observe(message);
          for (int node = 0; node < replicas.size(); node++) {
            outbox.add(node, message);
          }
        }
        case Effect.Send(long replica, Message message) -> {
          observe(message);
          int node = replicas.node(replica);
          if (node >= 0) {
            outbox.add(node, message);
          }
        }
        case Effect.Saw(long ticket, Seen seen) -> cluster.history().saw(ticket, seen);
        case Effect.Complete(long ticket, Requests.Completion how) ->
            ended.add(cluster.history().completed(ticket, how, event.nowNanos()));
      }
    }
  }

  private void ended(Operation operation) {
    cluster.traceEnd(name, operation);
    if (operation.shows(cluster.workload())) {
      known.add(operation.invocation.tag());
    }
    Runnable onEnd = open.remove(operation);
    if (onEnd != null) {
      onEnd.run();
    }
  }

  /** Every way of asking has its turn. */
  private static Reads reads(Operation operation) {
    int count = 1 + (int) (operation.ticket % 3);
    return operation.ticket % 2 == 0 ? Reads.of(count) : Reads.hedged(count);
  }

  private List<Effect> guarded(Event event) {
    FrontEndMachine requests = machine();
    List<Effect> effects;
    try {
      effects = requests.step(event);
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(Violation.Kind.THREW, name + " threw " + thrown, thrown);
    }
    checkNowAndThen(requests::checkInvariants);
    return effects;
  }

  private void observe(Message message) {
    if (message instanceof Message.Update update) {
      latestStamp = Stamp.of(update.part());
      cluster.history().sent(update);
    }
  }
}
