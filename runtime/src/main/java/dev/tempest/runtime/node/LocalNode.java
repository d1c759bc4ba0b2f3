package dev.tempest.runtime.node;

import dev.tempest.DivergenceListener;
import dev.tempest.FrontEndConfig;
import dev.tempest.MembershipListener;
import dev.tempest.ReconciliationListener;
import dev.tempest.Registration;
import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.Joined;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.frontend.Client;
import dev.tempest.runtime.frontend.SeenByService;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.runtime.service.ServiceClasses;
import dev.tempest.state.Action;
import dev.tempest.state.Merge;
import dev.tempest.state.State;
import dev.tempest.state.versioned.EntryVisitor;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.Seen;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node of a process, from its start to its end: a host with collections and services, and
 * listeners. Thread-safe.
 */
public final class LocalNode implements AutoCloseable {
  /** Under which the collections of all nodes are replicated, beside services. */
  public static final Set<String> COLLECTIONS = Set.of(ReplicatedState.NAME, AgreedReplica.NAME);

  private static final System.Logger LOGGER = LogLines.logger(LocalNode.class);

  /** Who waits is to see what comes of the longest wait that ends by itself. */
  static final Duration JOIN_PATIENCE = Duration.ofMillis(Replica.GONE_MILLIS).plusSeconds(15);

  /** A log that nobody reads keeps nobody from closing. */
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(1);

  /** Collections that do nothing should cost next to nothing. */
  private static final int IDLE_GOSSIP_MILLIS = 1_000;

  private static final long EVENTUAL = NameHash.of(ReplicatedState.NAME);

  final NodeConfig config;
  final Host host;
  final ReplicatedState state;

  /** Null if no collection is linearizable. */
  final @Nullable AgreedState agreed;

  /** How the eventual collections come; null until the node has started. */
  private @Nullable Arrival eventual;

  private final Thread goodbye;
  private final Listeners listeners;
  private final @Nullable Listeners agreedListeners;
  private final List<DivergenceListener> divergenceListeners = new CopyOnWriteArrayList<>();
  private final List<Client> clients = new CopyOnWriteArrayList<>();

  private LocalNode(NodeConfig config, Host host) {
    this.config = config;
    this.host = host;
    this.state = new ReplicatedState(host.clock(), config, this::requireEventual, host::wakeup);
    this.agreed =
        config.collections().stream().anyMatch(rule -> rule.config().isLinearizable())
            ? new AgreedState(host.clock()::nowNanos, config, state::fail, host::wakeup)
            : null;
    this.goodbye = new Thread(this::leave, "tempest-goodbye");
    this.listeners = new Listeners(state, state, state::reconciled, "tempest-listeners");
    this.agreedListeners =
        agreed == null
            ? null
            : new Listeners(agreed.replica(), agreed, () -> 0, "tempest-listeners-linearizable");
  }

  /**
   * Starts a node that hosts the services of its configuration; {@link #awaitActive} waits until it
   * has the state of the others.
   *
   * @throws ConfigException if it cannot host one of them, or is none of the members that are
   *     listed
   * @throws java.io.UncheckedIOException if no port can be bound, saying why
   */
  public static LocalNode start(NodeConfig config) {
    requireMembers(config);
    return start(config, ServiceClasses.load(config.services()));
  }

  /** As {@link #start(NodeConfig)}, with these services in place of the configuration's. */
  public static LocalNode start(NodeConfig config, List<Deployment> services) {
    LocalNode node = new LocalNode(config, Host.open(config));
    boolean started = false;
    try {
      for (Deployment service : services) {
        var unused =
            node.host.host(
                service, node.divergenceListeners); // Whoever wants to waits for all of them.
      }
      node.start();
      started = true;
    } finally {
      if (!started) {
        node.close();
      }
    }
    return node;
  }

  /**
   * Refuses a list of members that {@link #start} would refuse, as far as that can be known
   * anywhere.
   *
   * @throws ConfigException if this process is none of them, or something is linearizable and one
   *     of them is listed twice under two names, or is several machines
   */
  public static void requireMembers(NodeConfig config) {
    OwnPlace.requireMember(config);
    Places places = new Places(config, InetAddress.getLoopbackAddress());
    try {
      for (ServiceConfig service : config.services()) {
        if (service.options().consistency() != Consistency.EVENTUAL) {
          Order order = Deployment.order(service.options());
          places.requireMembers("service '%s' is".formatted(service.name()), order);
        }
      }
      if (config.collections().stream().anyMatch(rule -> rule.config().isLinearizable())) {
        places.requireMembers("collections are", Order.LINEARIZABLE);
      }
    } catch (IllegalArgumentException refused) {
      ConfigException refusal =
          new ConfigException(
              "members",
              String.valueOf(refused.getMessage()),
              "write the same list for all servers");
      refusal.initCause(refused);
      throw refusal;
    }
  }

  /** Starts a node and waits until it has the state of the others. */
  public static LocalNode join(NodeConfig config) {
    return join(config, JOIN_PATIENCE);
  }

  /** The same, unless nothing of that state has come for so long. */
  static LocalNode join(NodeConfig config, Duration patience) {
    LocalNode node = start(config);
    boolean joined = false;
    try {
      node.await(Objects.requireNonNull(node.eventual), "node", patience);
      node.requireOneConsistency();
      node.await(node.host.arrival(), "node", patience);
      joined = true;
    } finally {
      if (!joined) {
        node.close();
      }
    }
    LOGGER.log(Level.INFO, Banner.of(config, node.members(), node.host.founded()));
    return node;
  }

  /**
   * Waits until the node is a member and all that it hosts has state; false if nothing of that
   * state has come for so long.
   *
   * @throws IllegalStateException if it never will be: the node was closed, or a replica stopped
   * @throws ConfigException if the cluster speaks only other versions of the wire
   */
  public boolean awaitActive(Duration patience) throws InterruptedException {
    try {
      if (Objects.requireNonNull(eventual).await(patience)) {
        requireOneConsistency();
        if (host.arrival().await(patience)) {
          return true;
        }
      }
      throw ended("node", host.arrival());
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException refused) {
      throw refusal(refused);
    }
  }

  /** A linearizable collection does not take what others keep in an eventual one, nor hides it. */
  private void requireOneConsistency() {
    if (agreed == null) {
      return;
    }
    for (String name : state.published().filled()) {
      if (config.collection(name).isLinearizable()) {
        throw new ConfigException(
            "collection " + name,
            "it is linearizable here, and eventual with entries at other members, which it would"
                + " hide",
            "declare it alike everywhere; its entries do not follow from one consistency to the"
                + " other: for that, add a collection of another name, and let a program of yours"
                + " carry them over");
      }
    }
  }

  /** Declares a collection of that name. */
  public <T> T declare(String name, Function<State, T> declaration) {
    AgreedState linearizable = agreed;
    return linearizable != null && config.collection(name).isLinearizable()
        ? linearizable.declare(declaration)
        : state.declare(declaration);
  }

  /** Registers a merge function for all collections. */
  public void register(Merge<?> merge) {
    state.declare(declarations -> register(declarations, merge));
    if (agreed != null) {
      agreed.declare(declarations -> register(declarations, merge));
    }
  }

  private static State register(State state, Merge<?> merge) {
    state.register(merge);
    return state;
  }

  private void requireEventual() {
    if (agreed != null) {
      agreed.fail();
    }
  }

  /** Whether the calling thread executes an action on linearizable collections. */
  private boolean isAgreeing() {
    return agreed != null && agreed.isActing();
  }

  /** Hosts a service, and waits until its replica has the state of the others; or hosts it not. */
  public void hostAndWait(Deployment service) {
    state.requireMayWait();
    if (agreed != null) {
      agreed.requireMayWait();
    }
    Arrival arrival = host.host(service, divergenceListeners);
    boolean hosted = false;
    try {
      await(arrival, "service " + service.name(), JOIN_PATIENCE);
      Arrival views = host.views;
      if (views != null && service.order().isByPrimary()) {
        await(views, "view service", JOIN_PATIENCE);
      }
      hosted = true;
    } finally {
      if (!hosted) {
        host.withdraw(service.name());
      }
    }
  }

  /**
   * Executes in one action: on eventual collections, or on linearizable ones.
   *
   * @param acks how many nodes are to have it; 0 for what is configured, and for a majority where
   *     collections are linearizable
   */
  public <T> T batch(int acks, Supplier<T> writes) {
    AgreedState linearizable = agreed;
    if (linearizable == null) {
      return state.batch(acks, writes);
    }
    if (linearizable.isActing()) {
      return linearizable.batch(writes);
    }
    try {
      return state.batchOfEither(acks, writes);
    } catch (OtherWayException.Linearizable begun) {
      return linearizable.batch(writes); // Which they are shows in the first that is used.
    }
  }

  /** All that this node has seen of the collections. */
  public SeenByService seen() {
    Seen seen =
        state
            .ask(replica -> Optional.ofNullable(replica.seen()), Optional.of(Seen.NOTHING))
            .orElseThrow(() ->
                new IllegalStateException(
                    "too much is unsettled for a handle, because too many nodes write or the"
                        + " network loses too much: try again later"));
    return SeenByService.NOTHING.with(EVENTUAL, seen);
  }

  /** Waits until this node has seen as much of the collections; whether it has by then. */
  public boolean awaitSeen(SeenByService seen, Duration timeout) throws InterruptedException {
    Seen collections = seen.of(EVENTUAL);
    return state.await(
        replica -> replica.hasSeen(collections), TimeUnit.NANOSECONDS.convert(timeout));
  }

  /** The action of the calling thread. */
  public Action action() {
    Action action = isAgreeing() ? Objects.requireNonNull(agreed).action() : state.action();
    if (action == null) {
      throw new IllegalStateException(
          "time and random numbers exist only within a batch: use batch()");
    }
    return action;
  }

  /** Calls a listener for whatever of a collection changes. */
  public <K, V> Registration listen(Object collection, EntryVisitor<K, V> listener) {
    AgreedState linearizable = agreed;
    if (linearizable != null && linearizable.state().owns(collection)) {
      return Objects.requireNonNull(agreedListeners)
          .add(linearizable.state(), collection, listener);
    }
    return listeners.add(state.state(), collection, listener);
  }

  /** Calls a listener when writes came late. */
  public Registration onReconciled(ReconciliationListener listener) {
    return listeners.add(listener);
  }

  /** Calls a listener when members come and go. */
  public Registration onMembership(MembershipListener listener) {
    return host.onMembership(listener);
  }

  /**
   * Opens a client of the services here, which the node closes at the latest when it ends.
   *
   * @throws IllegalStateException if it has
   */
  public Client client() {
    FrontEndConfig asked =
        FrontEndConfig.builder(address()).cluster(config.cluster()).multicastPort(0).build();
    Client client = Client.connect(asked, host.channel());
    clients.removeIf(Client::isClosed);
    clients.add(client);
    if (host.isClosed()) { // Then nobody closes it later.
      client.close();
      throw new IllegalStateException("the node is closed: open front-ends before");
    }
    return client;
  }

  /** Calls a listener when a service here turns out not to be deterministic. */
  public Registration onDiverged(DivergenceListener listener) {
    divergenceListeners.add(listener);
    return () -> divergenceListeners.remove(listener);
  }

  /** How the node and its replicas are; once closed, how they were. */
  public Status status() throws InterruptedException {
    return host.status();
  }

  /** How the replicas came to their state; those that have none yet are said to have none. */
  public List<Joined> joined() throws InterruptedException {
    return host.joined();
  }

  /** What the network brought and what was dropped of it, by kind; only kinds that occurred. */
  public Map<String, Long> counters() {
    return host.counters();
  }

  /**
   * Waits until the node is closed, or serves nothing any more: its loop has died, or a bug has
   * stopped the last of its services.
   *
   * @return why it serves nothing; empty if it was closed
   */
  public Optional<String> awaitEnd() throws InterruptedException {
    try {
      return host.end().get();
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
  }

  /** The interfaces of the services that are hosted here, by name. */
  public SortedMap<String, Class<?>> services() {
    return host.names.services();
  }

  /** Where this node is reached. */
  public String address() {
    return host.address();
  }

  /** Where all members are reached, this one first. */
  public List<String> members() {
    return host.members();
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
    if (config.shutdownHook()) {
      Runtime.getRuntime().addShutdownHook(goodbye);
    }
    eventual =
        host.host(
            state,
            state.using(),
            Order.EVENTUAL.withGossipMillis(
                Order.EVENTUAL.gossipIntervalMillis(), IDLE_GOSSIP_MILLIS));
    if (agreed == null) {
      host.requireNothingKept(
          AgreedReplica.NAME, "no collection is declared with consistency: linearizable");
    } else {
      host.host(
          agreed.replica(),
          agreed.replica().using(),
          Deployment.ofCollections(config.waits().reads()));
    }
    host.start();
  }

  private void await(Arrival arrival, String what, Duration patience) {
    try {
      if (!arrival.await(patience)) {
        throw ended(what, arrival);
      }
    } catch (TimeoutException late) {
      String hindrance = arrival.hindrance();
      throw new IllegalStateException(
          "nothing came for %d s of the state that the %s lacks, from the members %s: %s"
              .formatted(
                  patience.toSeconds(),
                  what,
                  members(),
                  hindrance == null
                      ? "check that this machine reaches them by UDP and TCP"
                      : hindrance),
          late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the " + what + " joined", interrupted);
    } catch (ExecutionException refused) {
      throw refusal(refused);
    }
  }

  private static RuntimeException refusal(ExecutionException refused) {
    return refused.getCause() instanceof ConfigException why
        ? why
        : new IllegalStateException(refused);
  }

  private static IllegalStateException ended(String what, Arrival arrival) {
    Arrival.Stop stop = arrival.stop();
    return stop == null
        ? new IllegalStateException(
            "the " + what + " ended while it joined: it was closed, or the log names a bug")
        : new IllegalStateException(
            "the %s cannot join: %s".formatted(what, stop.why()), stop.cause());
  }

  private void leave() {
    listeners.close();
    state.close();
    if (agreed != null && agreedListeners != null) {
      agreedListeners.close();
      agreed.replica().close();
    }
    host.close();
    clients.forEach(Client::close);
    LogLines.flush(LOG_PATIENCE); // The process may end now.
  }
}
