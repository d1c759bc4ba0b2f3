package dev.tempest.runtime.node;

import dev.tempest.EntryListener;
import dev.tempest.ReconciliationListener;
import dev.tempest.Registration;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.membership.Member;
import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.membership.Self;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Action;
import dev.tempest.state.EntryVisitor;
import dev.tempest.state.Lifetime;
import dev.tempest.state.State;
import dev.tempest.state.Terms;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** A node from its start to its end: sockets, event loop, state, listeners. Thread-safe. */
public final class EmbeddedNode implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(EmbeddedNode.class.getName());

  /** The name under which the collections of all nodes are replicated. */
  private static final long COLLECTIONS = NameHash.of("collections");

  private static final long DISCOVERY = NameHash.of("discovery");
  private static final long JOIN_TIMEOUT_MILLIS = 60_000;
  private static final long LEAVE_TIMEOUT_MILLIS = 3_000;
  private static final long LOOK_AGAIN_MILLIS = 5_000;

  /** A node that does nothing should cost next to nothing. */
  private static final int HEARTBEAT_MILLIS = 500;

  private static final int IDLE_GOSSIP_MILLIS = 1_000;

  /** What waits for others may take one part in so many of the memory. */
  private static final int UNSETTLED_SHARE = 4;

  private final NodeConfig config;
  private final long id;
  private final Places places;
  private final MonotonicClock clock;
  private final String address;
  private final ReplicatedState state;
  private final NodeMachines machines;
  private final EventLoop loop;
  private final Thread thread;
  private final Listeners listeners;
  private final Thread goodbye;
  private final AtomicBoolean left = new AtomicBoolean();

  private EmbeddedNode(NodeConfig config, Endpoint endpoint, long id, InetAddress bind) {
    this.config = config;
    this.id = id;
    this.places = new Places(config, bind);
    long cluster = NameHash.of(config.cluster());
    int multicastPort = config.discovery().multicastPort();
    InetSocketAddress group = MulticastGroups.of(cluster, DISCOVERY, Math.max(1, multicastPort));
    int port = endpoint.address().socket().getPort();
    this.address = Places.text(OwnAddress.of(bind, group), port);
    this.clock = new MonotonicClock();
    this.state =
        new ReplicatedState(clock, name -> terms(config.collection(name)), endpoint::wakeup);
    Members members =
        new Members(
            settings(config, places.candidates()),
            new Self(id, address, config.name()),
            Places::address,
            ThreadLocalRandom.current().nextLong(),
            clock.nowNanos());
    this.machines =
        new NodeMachines(
            endpoint,
            clock,
            members,
            state,
            id,
            multicastPort > 0 ? group : null,
            view -> replica(view));
    this.loop = new EventLoop(endpoint, machines);
    if (multicastPort > 0) {
      endpoint.join(group);
    }
    this.thread = daemon(loop, "tempest-node-" + port);
    this.goodbye = new Thread(this::leave, "tempest-goodbye-" + port);
    this.listeners =
        new Listeners(state, () -> state.ask(Replica::reconciled, 0L), "tempest-listeners-" + port);
  }

  /** Starts a node and waits until it has the state of the others. */
  public static EmbeddedNode join(NodeConfig config) {
    InetAddress bind = OpenPort.bindAddress(config);
    long id = ThreadLocalRandom.current().nextLong();
    Endpoint endpoint = OpenPort.open(config, bind, id);
    EmbeddedNode node;
    try {
      node = new EmbeddedNode(config, endpoint, id, bind);
    } catch (RuntimeException failed) {
      endpoint.close();
      throw failed;
    }
    node.start();
    return node;
  }

  /** Declares a collection. */
  public <T> T declare(Function<State, T> declaration) {
    return state.declare(declaration);
  }

  /** Executes in one action. */
  public <T> T batch(Supplier<T> writes) {
    return state.batch(writes);
  }

  /** The action of the calling thread. */
  public Action action() {
    Action action = state.action();
    if (action == null) {
      throw new IllegalStateException("time and random numbers are those of a batch: use batch()");
    }
    return action;
  }

  /** Calls a listener for the entries of a map or set that change. */
  public <K, V> Registration listen(
      Object collection, EntryListener<? super K, ? super V> listener) {
    EntryVisitor<K, V> visitor = listener::changed;
    State owner = state.state();
    owner.difference(collection, state.published(), state.published(), visitor); // Is it one?
    return listeners.add((before, after) -> owner.difference(collection, before, after, visitor));
  }

  /** Calls a listener when writes came late. */
  public Registration onReconciled(ReconciliationListener listener) {
    return listeners.add(listener);
  }

  /** Where this node is reached. */
  public String address() {
    return address;
  }

  /** Where all members are reached, this one first. */
  public List<String> members() {
    List<String> members = new ArrayList<>();
    members.add(address());
    machines.view().values().stream()
        .filter(member -> member.id() != id)
        .map(Member::addressText)
        .forEach(members::add);
    return List.copyOf(members);
  }

  @Override
  public void close() {
    leave();
    try {
      Runtime.getRuntime().removeShutdownHook(goodbye);
    } catch (IllegalStateException theProcessEnds) {
      return; // Then there is nothing to take back.
    }
  }

  private void start() {
    thread.start();
    if (places.change()) {
      daemon(this::lookAgain, thread.getName() + "-names").start();
    }
    try {
      if (!machines.active().get(JOIN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        close();
        throw new IllegalStateException(
            "the node ended while it joined, because of a bug: the log says which");
      }
    } catch (TimeoutException late) {
      close();
      throw new IllegalStateException(
          "no state within a minute although there are members "
              + members()
              + ": are they reachable from here, by UDP and TCP?",
          late);
    } catch (InterruptedException interrupted) {
      close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the node joined", interrupted);
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
    Runtime.getRuntime().addShutdownHook(goodbye);
    LOGGER.log(Level.INFO, Banner.of(config, members(), machines.founded()));
  }

  private void leave() {
    if (!left.compareAndSet(false, true)) {
      return;
    }
    listeners.close();
    state.close();
    loop.execute(machines::handOver);
    await(machines.left());
    loop.close();
    boolean interrupted = false;
    while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(CompletableFuture<Boolean> event) {
    try {
      event.get(LEAVE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException silent) {
      return; // The others find out by themselves.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Names may stand for other hosts by now. */
  private void lookAgain() {
    try {
      while (!left.get()) {
        Thread.sleep(LOOK_AGAIN_MILLIS);
        List<String> candidates = places.candidates();
        loop.execute(() -> machines.candidates(candidates));
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private Replica replica(SortedMap<Long, Address> view) {
    return Orders.replica(
        Order.EVENTUAL.withGossipMillis(Order.EVENTUAL.gossipIntervalMillis(), IDLE_GOSSIP_MILLIS),
        Placement.of(COLLECTIONS, id, view)
            .withWaitingMaxBytes(Runtime.getRuntime().maxMemory() / UNSETTLED_SHARE),
        ServiceInstance.ofState(state.state()),
        ThreadLocalRandom.current().nextLong(),
        clock.nowNanos());
  }

  private static MemberSettings settings(NodeConfig config, List<String> candidates) {
    MemberSettings usual = MemberSettings.of(candidates);
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

  private static Terms terms(CollectionConfig config) {
    return new Terms(
        new Lifetime(config.timeToLive().toMillis(), config.idle().toMillis(), config.maxSize()),
        config.preset() == Preset.EVENTUAL);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
