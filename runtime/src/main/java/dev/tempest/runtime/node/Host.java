package dev.tempest.runtime.node;

import dev.tempest.DivergenceListener;
import dev.tempest.MembershipListener;
import dev.tempest.Registration;
import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.membership.Member;
import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.membership.Self;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement.Room;
import dev.tempest.runtime.Joined;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.frontend.LocalChannel;
import dev.tempest.runtime.heap.Heap;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.LossOnPurpose;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.Message.Status;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a cluster, from its start to its end: sockets, an event loop, who else is there,
 * and replicas of services, of collections, or both.
 *
 * <p>Thread-safe.
 */
final class Host implements AutoCloseable {
  private static final System.Logger LOGGER = LogLines.logger(Host.class);
  private static final long DISCOVERY = NameHash.of("discovery");

  /**
   * Methods of services run here. Where one overflows the stack it throws, and replicas are to
   * agree on that: endless recursion overflows any stack, and what ends has room on this one,
   * whatever {@code -Xss} says. Memory is taken only as far as it is used.
   */
  private static final long STACK_BYTES = 16 << 20;

  private static final long LEAVE_TIMEOUT_MILLIS = 5_000;
  private static final long END_TIMEOUT_MILLIS = 3_000;

  /** The same at all nodes. One that does nothing should cost next to nothing. */
  private static final int HEARTBEAT_MILLIS = 500;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** Updates that wait for other replicas take at most one part in so many of the memory. */
  private static final int WAITING_SHARE = 4;

  private static final long WAITING_MAX_BYTES = 256L << 20;

  private final NodeConfig config;
  private final long id;
  private final Endpoint endpoint;
  private final Places places;
  private final MonotonicClock clock = MonotonicClock.ofProcess();
  private final String address;
  private final Members members;
  final HostMachines machines;
  private final EventLoop loop;
  private final Thread thread;
  final OnLoop onLoop;
  private final @Nullable Checkpoints checkpoints;
  private final AtomicBoolean left = new AtomicBoolean();
  volatile @Nullable Arrival views; // Of the view service; null while nothing has a primary.
  final HostedNames names = new HostedNames();
  final PartCounts partCounts = new PartCounts();
  private final MethodWatch watch;
  private final BusyLoop busy;
  private final SilentSeeds seeds;

  private Host(NodeConfig config, long id, OwnPlace place, Endpoint endpoint) {
    if (LossOnPurpose.percent() > 0) {
      LOGGER.log(Level.WARNING, "Dropping {0} % of datagrams on purpose", LossOnPurpose.percent());
    }
    this.config = config;
    this.id = id;
    this.endpoint = endpoint;
    this.places = new Places(config, place.bind());
    int multicastPort = Math.max(1, config.multicastPort());
    InetSocketAddress group =
        MulticastGroups.of(NameHash.of(config.cluster()), DISCOVERY, multicastPort);
    this.address = OwnAddress.of(config, place, group);
    this.members =
        new Members(
            settings(config, places),
            new Self(id, address, config.name()),
            text -> Places.address(text, config::isAllowed),
            ThreadLocalRandom.current().nextLong(),
            clock.nowNanos());
    this.busy = new BusyLoop(endpoint);
    boolean announces = config.members().isEmpty() && config.multicastPort() > 0;
    if (announces) {
      endpoint.join(group); // Where no network is up, it may be later.
    }
    String name = config.name().isEmpty() ? address : config.name();
    this.machines =
        new HostMachines(
            id,
            endpoint,
            clock,
            members,
            announces ? group : null,
            places.members(),
            new Tools(id, name, clock, endpoint.counters()),
            new ReplicaSender(id, endpoint, busy));
    this.loop = new EventLoop(endpoint, machines);
    this.thread = new Thread(null, loop, "tempest-" + place.port(), STACK_BYTES);
    thread.setDaemon(true);
    this.onLoop = new OnLoop(loop, thread);
    this.watch = new MethodWatch(thread);
    this.seeds = new SilentSeeds(config, place);
    this.checkpoints = Checkpoints.open(config).orElse(null);
  }

  /**
   * Opens the sockets; {@link #start} begins to act.
   *
   * @throws java.io.UncheckedIOException if no port can be bound, saying why
   * @throws dev.tempest.config.ConfigException if this is none of the members that are listed, or
   *     another process has the folder for its checkpoints
   */
  static Host open(NodeConfig config) {
    long id = ThreadLocalRandom.current().nextLong();
    OpenPort open = OpenPort.open(config, id);
    try {
      return new Host(config, id, open.place(), open.endpoint());
    } catch (RuntimeException failed) {
      open.endpoint().close();
      throw failed;
    }
  }

  /** The clock that all replicas share. */
  MonotonicClock clock() {
    return clock;
  }

  /** Ends the rest of the loop. Any thread may call it. */
  void wakeup() {
    endpoint.wakeup();
  }

  /** Begins to act. */
  void start() {
    thread.start();
    Thread.ofVirtual().name(thread.getName() + "-watch").start(watch);
    Thread.ofPlatform().daemon().name(thread.getName() + "-busy").start(() -> busy.watch(loop));
    Thread.ofPlatform().daemon().name(thread.getName() + "-heap").start(() -> Heap.watch(thread));
    if (!config.seeds().isEmpty()) {
      Thread.ofPlatform() // To look names up may hold a thread for long.
          .daemon()
          .name(thread.getName() + "-seeds")
          .start(() ->
              seeds.watch(
                  thread,
                  () -> machines.view().isEmpty() ? List.of() : members(),
                  SilentSeeds.PATIENCE));
    }
    if (checkpoints != null) {
      checkpoints.start();
    }
    if (places.mayChange()) {
      Thread names = new Thread(this::lookAgain, thread.getName() + "-names");
      names.setDaemon(true);
      names.start();
    }
  }

  /**
   * Hosts a service, before or after the start. It begins once this process is a member.
   *
   * @param listeners are told when the service turns out not to be deterministic
   * @return how its state comes
   * @throws IllegalArgumentException if this process hosts one of that name already, or too many
   * @throws IllegalStateException if it is closed
   */
  synchronized Arrival host(Deployment deployed, List<DivergenceListener> listeners) {
    if (left.get()) {
      throw new IllegalStateException(
          "this process has left its cluster: host services before you close it");
    }
    boolean isLinearizable = deployed.order() instanceof Order.ByConsensus;
    if (isLinearizable) {
      places.requireMembers("service '%s' is".formatted(deployed.name()), deployed.order());
    }
    ServiceInstance service = deployed.service();
    names.take(deployed.name(), service.description().type(), isLinearizable);
    if (deployed.order().isByPrimary() && views == null) {
      views = host(Deployment.ofViews(), listeners);
    }
    long maxBytes = Math.min(WAITING_MAX_BYTES, Runtime.getRuntime().maxMemory() / WAITING_SHARE);
    watch.add(deployed.name(), service);
    ServiceHolder holder = new ServiceHolder(deployed.name(), service, listeners);
    Hosted hosted;
    try {
      Order order = deployed.isOfViews() ? deployed.order() : here(deployed.order());
      hosted = hosted(holder, service.description(), order, maxBytes);
    } catch (ConfigException refused) {
      names.giveBack(deployed.name());
      watch.remove(deployed.name());
      throw refused;
    }
    host(hosted);
    if (left.get() || thread.getState() == Thread.State.TERMINATED) {
      hosted.arrival().active().complete(false); // The loop may have ended before it was told.
    }
    return hosted.arrival();
  }

  /** A way for front-ends of this process to ask its replicas. */
  LocalChannel channel() {
    return new LocalChannel(
        id, thread, (from, requests) -> loop.execute(() -> machines.ask(from, requests)));
  }

  /** Hosts a service no more. Its name is free again. */
  void withdraw(String name) {
    if (checkpoints != null) {
      checkpoints.withdraw(name);
    }
    names.free(name);
    watch.remove(name);
    loop.execute(() -> machines.withdraw(NameHash.of(name)));
  }

  /** Hosts collections; as above. Whoever uses their replica holds the lock. */
  Arrival host(Holder collections, DeadlineLock using, Order order) {
    if (order instanceof Order.ByConsensus) {
      places.requireMembers("collections are", order);
    }
    watch.add(collections.name(), using);
    long maxBytes = Runtime.getRuntime().maxMemory() / WAITING_SHARE;
    Hosted hosted = hosted(collections, ServiceInterface.NONE, here(order), maxBytes);
    host(hosted);
    return hosted.arrival();
  }

  /** A replica to be, with what its checkpoint holds; nobody uses its holder yet. */
  private Hosted hosted(Holder holder, ServiceInterface description, Order order, long maxBytes) {
    Room room = new Room(maxBytes, config.waits().maxAhead());
    String name = holder.name();
    int members = config.members().size();
    int size = order instanceof Order.ByConsensus agreed ? agreed.copies(members) : members;
    Arrival arrival = machines.arrival().part();
    Checkpoints kept = checkpoints;
    Begun with =
        kept == null
            ? Begun.WITH_NOTHING
            : kept.begin(name, order, holder.instance(), () -> checkpoint(name), this::wakeup);
    Supplier<CheckpointAge> age = () -> kept == null ? CheckpointAge.NONE : kept.age(name);
    return new Hosted(
        holder, description, order, with.restored(), with.log(), size, room, age, arrival);
  }

  /** As {@link Checkpoints#requireNone}. */
  void requireNothingKept(String name, String instead) {
    if (checkpoints != null) {
      checkpoints.requireNone(name, instead);
    }
  }

  /** As the configuration of this process wants it. */
  private Order here(Order order) {
    Order.ByConsensus.Log log =
        switch (config.checkpoints().log()) {
          case MEMORY -> Order.ByConsensus.Log.MEMORY;
          case DISK -> Order.ByConsensus.Log.DISK;
          case ADAPTIVE -> Order.ByConsensus.Log.ADAPTIVE;
        };
    return switch (order) {
      case Order.ByTime byTime -> byTime;
      case Order.ByConsensus byConsensus -> byConsensus.withLog(log);
    };
  }

  private Optional<Checkpoint> checkpoint(String name) {
    return onLoop
        .askWithin(
            Duration.ofMillis(LEAVE_TIMEOUT_MILLIS),
            () ->
                machines.replicas().stream()
                    .filter(replica -> replica.name().equals(name))
                    .findFirst()
                    .flatMap(Hosted::checkpoint))
        .flatMap(told -> told);
  }

  private void host(Hosted hosted) {
    loop.execute(() -> {
      if (config.multicastPort() > 0 && hosted.isService()) {
        InetSocketAddress group =
            MulticastGroups.of(NameHash.of(config.cluster()), hosted.id, config.multicastPort());
        if (!endpoint.join(group)) {
          LOGGER.log(
              Level.INFO,
              "No multicast here yet: front-ends ask each server of {0} separately",
              hosted.name());
        }
      }
      machines.host(hosted);
    });
  }

  /**
   * How it becomes a member and gets the state of all that it hosts. A {@link
   * dev.tempest.config.ConfigException} if the cluster speaks only other versions of the wire.
   */
  Arrival arrival() {
    return machines.arrival();
  }

  /** Whether it founded its cluster. Any thread may ask once it is {@linkplain #arrival active}. */
  boolean founded() {
    return members.founded();
  }

  /** Calls a listener when members come and go. */
  Registration onMembership(MembershipListener listener) {
    return machines.attendance().add(listener);
  }

  /** Where this process is reached. */
  String address() {
    return address;
  }

  /** Where all members are reached, this one first. */
  List<String> members() {
    List<String> all = new ArrayList<>();
    all.add(address);
    machines.view().values().stream()
        .filter(member -> member.id() != id)
        .map(Member::addressText)
        .forEach(all::add);
    return List.copyOf(all);
  }

  /** The seeds at which others should be, while this node is alone; else empty. */
  List<String> silentSeeds() {
    return seeds.amid(members());
  }

  /** How the process and its replicas are; once closed, how they were. */
  Status status() throws InterruptedException {
    return onLoop.ask(machines::status);
  }

  /** How the replicas came to their state. */
  List<Joined> joined() throws InterruptedException {
    return onLoop.ask(() -> machines.replicas().stream().map(Hosted::joined).toList());
  }

  /** What the network brought and what was dropped of it, by kind. */
  Map<String, Long> traffic() {
    return endpoint.counters().byWord();
  }

  /** What the network brought and what was dropped of it, by kind; only kinds that occurred. */
  Map<String, Long> counters() {
    Map<String, Long> named = new LinkedHashMap<>();
    endpoint.counters().snapshot().forEach((kind, count) -> named.put(kind.name(), count));
    return named;
  }

  /**
   * Done once it serves nothing any more, with why: its loop has died, or the last of its services
   * has stopped. Empty if it was closed.
   */
  CompletableFuture<Optional<String>> end() {
    return machines.end();
  }

  /** Whether {@link #close} has begun. */
  boolean isClosed() {
    return left.get();
  }

  /** Hands over what only it has executed, says goodbye, and ends; interrupted or not. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    if (left.compareAndSet(false, true)) {
      if (thread.getState() == Thread.State.NEW) {
        endpoint.close();
        closeCheckpoints();
        machines.ended(null);
      } else {
        loop.execute(machines::handOver);
        interrupted |= awaitLeft();
        closeCheckpoints();
        loop.close();
      }
    }
    if (!thread.equals(Thread.currentThread())) {
      interrupted |= awaitEnd();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** With all that has been executed here, since nothing more is. */
  private void closeCheckpoints() {
    if (checkpoints != null) {
      checkpoints.close();
    }
  }

  /** Whether it was interrupted meanwhile. */
  private boolean awaitLeft() {
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVE_TIMEOUT_MILLIS);
    while (true) {
      try {
        machines.left().get(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (TimeoutException | ExecutionException silent) {
        return interrupted; // The others find out by themselves.
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
  }

  /** As above. A method that never returns keeps its thread, and not whoever closes. */
  private boolean awaitEnd() {
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_TIMEOUT_MILLIS);
    while (thread.isAlive() && untilNanos - System.nanoTime() > 0) {
      try {
        thread.join(Duration.ofNanos(untilNanos - System.nanoTime()));
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (thread.isAlive()) {
      watch.tellClosed();
      endpoint.close();
    }
    return interrupted;
  }

  /** Until the loop ends: names may stand for other hosts by now. */
  private void lookAgain() {
    try {
      while (!thread.join(LOOK_AGAIN)) {
        List<String> candidates = places.candidates();
        Set<String> listed = places.members();
        loop.execute(() -> machines.candidates(candidates, listed));
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static MemberSettings settings(NodeConfig config, Places places) {
    MemberSettings usual = MemberSettings.of(places.candidates());
    return new MemberSettings(
        usual.candidates(),
        usual.probeMillis(),
        usual.foundAfterMillis(),
        HEARTBEAT_MILLIS,
        usual.reachOutMillis(),
        usual.silentAfterMillis(),
        (int) config.expelAfter().toMillis(),
        usual.messageMaxBytes());
  }
}
