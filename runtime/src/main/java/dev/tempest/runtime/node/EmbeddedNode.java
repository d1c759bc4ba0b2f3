package dev.tempest.runtime.node;

import dev.tempest.MembershipListener;
import dev.tempest.ReconciliationListener;
import dev.tempest.Registration;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Replica;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Action;
import dev.tempest.state.EntryVisitor;
import dev.tempest.state.Lifetime;
import dev.tempest.state.State;
import dev.tempest.state.Terms;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** A node from its start to its end: a host with collections, and listeners. Thread-safe. */
public final class EmbeddedNode implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(EmbeddedNode.class.getName());
  private static final long JOIN_TIMEOUT_MILLIS = 60_000;

  /** A node that does nothing should cost next to nothing. */
  private static final int HEARTBEAT_MILLIS = 500;

  private static final int IDLE_GOSSIP_MILLIS = 1_000;

  private final NodeConfig config;
  private final Host host;
  private final ReplicatedState state;
  private final Thread goodbye;
  private final Listeners listeners;

  private EmbeddedNode(NodeConfig config, Host host) {
    this.config = config;
    this.host = host;
    this.state =
        new ReplicatedState(host.clock(), name -> terms(config.collection(name)), host::wakeup);
    host.host(
        state,
        Order.EVENTUAL.withGossipMillis(Order.EVENTUAL.gossipIntervalMillis(), IDLE_GOSSIP_MILLIS));
    this.goodbye = new Thread(this::leave, "tempest-goodbye");
    this.listeners =
        new Listeners(state, () -> state.ask(Replica::reconciled, 0L), "tempest-listeners");
  }

  /** Starts a node and waits until it has the state of the others. */
  public static EmbeddedNode join(NodeConfig config) {
    InetAddress bind = OpenPort.bindAddress(config);
    Places places = new Places(config, bind);
    HostConfig hostConfig =
        new HostConfig(
            config.cluster(),
            config.name(),
            ThreadLocalRandom.current().nextLong(),
            bind,
            config::advertise,
            config::isAllowed,
            config.listen().ports(),
            places::candidates,
            places.change(),
            config.members().isEmpty() ? config.multicastPort() : 0,
            config.multicastPort(),
            HEARTBEAT_MILLIS,
            config.expelAfter(),
            0);
    EmbeddedNode node = new EmbeddedNode(config, Host.open(hostConfig, true));
    node.start();
    return node;
  }

  /** Declares a collection. */
  public <T> T declare(Function<State, T> declaration) {
    return state.declare(declaration);
  }

  /** Hosts a service, and waits until its replica has the state of the others. */
  public void host(String name, ServiceInstance service) {
    if (name.equals(ReplicatedState.NAME)) {
      throw new IllegalArgumentException(
          "'" + name + "' is the name of the collections: choose another name");
    }
    await(host.host(name, service, List.of(), Order.EVENTUAL), "service " + name);
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

  /** Calls a listener for whatever of a collection changes. */
  public <K, V> Registration listen(Object collection, EntryVisitor<K, V> listener) {
    State owner = state.state();
    owner.difference(collection, state.published(), state.published(), listener); // Is it one?
    return listeners.add((before, after) -> owner.difference(collection, before, after, listener));
  }

  /** Calls a listener when writes came late. */
  public Registration onReconciled(ReconciliationListener listener) {
    return listeners.add(listener);
  }

  /** Calls a listener when members come and go. */
  public Registration onMembership(MembershipListener listener) {
    return host.onMembership(listener);
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
    host.start();
    boolean joined = false;
    try {
      await(host.active(), "node");
      joined = true;
    } finally {
      if (!joined) {
        close();
      }
    }
    if (config.shutdownHook()) {
      Runtime.getRuntime().addShutdownHook(goodbye);
    }
    LOGGER.log(Level.INFO, Banner.of(config, members(), host.founded()));
  }

  private void await(CompletableFuture<Boolean> active, String what) {
    try {
      if (!active.get(JOIN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "the " + what + " ended while it joined, because of a bug: the log says which");
      }
    } catch (TimeoutException late) {
      throw new IllegalStateException(
          "no state within a minute although there are members "
              + members()
              + ": are they reachable from here, by UDP and TCP?",
          late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the " + what + " joined", interrupted);
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
  }

  private void leave() {
    listeners.close();
    state.close();
    host.close();
  }

  private static Terms terms(CollectionConfig config) {
    return new Terms(
        new Lifetime(config.timeToLive().toMillis(), config.idle().toMillis(), config.maxSize()),
        config.preset() == Preset.EVENTUAL);
  }
}
