package dev.tempest.runtime;

import dev.tempest.DivergenceListener;
import dev.tempest.Registration;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The machines of one server: takes each message to the replica that it is for, and does what the
 * replicas want done; answers what tools ask.
 *
 * <p>Owned by the event loop.
 */
final class ServerMachines implements EventLoop.Machines {
  private static final System.Logger LOGGER = System.getLogger(ServerMachines.class.getName());

  /** For so long a turn executes updates, if more wait; then it looks what replicas have sent. */
  private static final long UPDATING_NANOS = 2_000_000;

  /** The same for reads. */
  private static final long READING_NANOS = 1_000_000;

  private final String self;
  private final long selfId;
  private final List<Address> others;
  private final Endpoint endpoint;
  private final MonotonicClock clock;
  private final long startedMillis = System.currentTimeMillis();
  private final Map<Long, Hosted> replicas = new LinkedHashMap<>();
  private final Map<String, List<MethodDescription>> methods = new TreeMap<>();
  private final List<DivergenceListener> listeners = new CopyOnWriteArrayList<>();
  private final UpdateBacklog updates = new UpdateBacklog();
  private final ReadBacklog reads = new ReadBacklog();
  private int toldLoad;
  private final CompletableFuture<Boolean> active = new CompletableFuture<>();

  ServerMachines(String self, Collection<Address> others, Endpoint endpoint, MonotonicClock clock) {
    this.self = self;
    this.selfId = NameHash.of(self);
    this.others = List.copyOf(others);
    this.endpoint = endpoint;
    this.clock = clock;
  }

  /** Adds a replica; only before the loop starts. */
  void host(String name, ServiceInstance service, Replica replica) {
    replicas.put(NameHash.of(name), new Hosted(name, service, replica));
    methods.put(name, describe(service));
  }

  /** Tells of services that are not deterministic. Any thread may ask for it. */
  Registration add(DivergenceListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** True once all replicas have state; false if the loop ends before. Any thread may ask. */
  CompletableFuture<Boolean> active() {
    return active;
  }

  /** Any thread may ask. */
  Map<String, Long> counters() {
    Map<String, Long> named = new LinkedHashMap<>();
    endpoint.counters().snapshot().forEach((kind, count) -> named.put(kind.name(), count));
    return named;
  }

  Status status(long token) {
    return new Status(
        token,
        selfId,
        self,
        startedMillis,
        replicas.values().stream().map(Hosted::status).toList());
  }

  /** How each replica came to its state. */
  List<Joined> joined(Map<Long, String> servers) {
    return replicas.values().stream().map(replica -> replica.joined(servers)).toList();
  }

  @Override
  public void received(PeerAddress from, Frame frame) {
    long nowNanos = clock.nowNanos();
    for (Message message : frame.messages()) {
      switch (message) {
        case Message.Reply reply -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.SeenReply reply -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.BeaconAnswer answer -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.Read read -> shed(reads.add(from, read));
        case Message.SeenRead read -> shed(reads.add(from, read));
        case Message.Update update -> take(from, update, nowNanos);
        case Message.Beacon beacon -> step(beacon.service(), nowNanos, from, beacon);
        case Message.ReplicaMessage replica -> step(replica.service(), nowNanos, from, replica);
        case Message.MemberMessage member -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
        case Message.ToolMessage question -> answer(from, question);
      }
    }
  }

  @Override
  public long tick() {
    long nowNanos = clock.nowNanos();
    tellLoad(nowNanos);
    executeUpdates(nowNanos);
    executeReads();
    long nextNanos = Long.MAX_VALUE;
    boolean allActive = true;
    for (Hosted replica : replicas.values()) {
      if (replica.nextTickNanos() <= nowNanos) {
        perform(replica, replica.step(new Event.Tick(nowNanos)));
      }
      nextNanos = Math.min(nextNanos, replica.nextTickNanos());
      allActive &= replica.isActive();
    }
    if (allActive && !active.isDone()) {
      active.complete(true);
    }
    if (updates.size() + reads.size() > 0) {
      return 0;
    }
    return nextNanos == Long.MAX_VALUE ? nextNanos : Math.max(0, nextNanos - nowNanos);
  }

  private void shed(int number) {
    endpoint.counters().count(Counters.Kind.READS_SHED, number);
  }

  /** It is executed with this turn or a later one, or refused at once. */
  private void take(PeerAddress from, Message.Update update, long nowNanos) {
    if (updates.add(from, update, nowNanos)) {
      return;
    }
    endpoint.counters().count(Counters.Kind.UPDATES_SHED);
    Hosted replica = replicas.get(update.service());
    if (replica == null) {
      refuse(from, update);
    } else {
      perform(replica, replica.step(new Event.Shed(nowNanos, from, update)));
    }
  }

  /** For a while only: replicas are not to wait behind updates, however many. */
  private void executeUpdates(long nowNanos) {
    long endNanos = nowNanos + UPDATING_NANOS;
    UpdateBacklog.Waiting next = updates.take();
    while (next != null) {
      step(next.update().service(), clock.nowNanos(), next.from(), next.update());
      next = clock.nowNanos() < endNanos ? updates.take() : null;
    }
  }

  /** For a while only: updates and replicas are not to wait behind reads, however many. */
  private void executeReads() {
    long endNanos = clock.nowNanos() + READING_NANOS;
    ReadBacklog.Waiting next = reads.take();
    while (next != null) {
      step(next.read().service(), clock.nowNanos(), next.from(), next.read());
      next = clock.nowNanos() < endNanos ? reads.take() : null;
    }
  }

  /**
   * What one turn takes off the sockets is what waited there when it began. The loop takes one
   * datagram a turn while none waits behind it: that is no load.
   */
  private void tellLoad(long nowNanos) {
    int load = Math.max(0, updates.size() + reads.size() - 1);
    if (load != toldLoad) {
      toldLoad = load;
      replicas
          .values()
          .forEach(replica -> perform(replica, replica.step(new Event.Loaded(nowNanos, load))));
    }
  }

  @Override
  public void ended() {
    active.complete(false);
  }

  private void step(long service, long nowNanos, PeerAddress from, Message message) {
    Hosted replica = replicas.get(service);
    if (replica != null) {
      perform(replica, replica.step(new Event.Received(nowNanos, from, message)));
    } else {
      refuse(from, message);
    }
  }

  private void perform(Hosted replica, List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Address to, Message message) -> endpoint.send((PeerAddress) to, message);
        case Effect.Spread(Message message) ->
            others.forEach(other -> endpoint.send((PeerAddress) other, message));
        case Effect.Diverged diverged -> diverged(replica, diverged);
        case Effect.Reconciled(var what) -> replica.reconciled(what, clock.nowNanos());
      }
    }
  }

  private void diverged(Hosted replica, Effect.Diverged diverged) {
    replica.diverged(diverged);
    for (DivergenceListener listener : listeners) {
      try {
        listener.diverged(replica.name(), diverged.objects());
      } catch (RuntimeException | AssertionError thrown) {
        LOGGER.log(Level.WARNING, "A listener throws; it will be called again", thrown);
      }
    }
  }

  /** A front-end has to hear that it asks for something that nobody has. */
  private void refuse(PeerAddress from, Message message) {
    switch (message) {
      case Message.Update update -> refuse(from, update.service(), update.entry().id(), true);
      case Message.Read read -> refuse(from, read.service(), read.id(), false);
      case Message.SeenRead(Message.Read read, Seen seen) ->
          refuse(from, read.service(), read.id(), false);
      default -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
    }
  }

  private void refuse(PeerAddress from, long service, RequestId id, boolean update) {
    Answer refusal =
        new Answer.Refused(Reason.UNKNOWN_SERVICE, String.join(", ", methods.keySet()));
    endpoint.send(from, new Message.Reply(service, id, update, selfId, 0, 0, refusal));
  }

  private void answer(PeerAddress from, Message.ToolMessage question) {
    switch (question) {
      case Message.StatusRequest(long token) -> endpoint.send(from, status(token));
      case Message.DescribeRequest(long token, String service) ->
          endpoint.send(
              from,
              new Description(
                  token,
                  service,
                  methods.getOrDefault(service, List.of()),
                  new ArrayList<>(methods.keySet())));
      case Message.Status status -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
      case Description description -> endpoint.counters().count(Counters.Kind.UNEXPECTED);
    }
  }

  private static List<MethodDescription> describe(ServiceInstance service) {
    return service.description().methods().stream()
        .map(method ->
            new MethodDescription(
                method.number(),
                method.name(),
                method.isUpdate(),
                method.parameterTypeNames(),
                method.resultTypeName()))
        .toList();
  }
}
