package dev.tempest.runtime;

import dev.tempest.DivergenceListener;
import dev.tempest.Registration;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import dev.tempest.runtime.transport.EventLoop;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Message.Status;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server: one event loop that owns a replica of each of its services.
 *
 * <p>Thread-safe.
 */
public final class ServerNode implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ServerNode.class.getName());

  /** Updates that wait for all replicas to have them take at most this part of the memory. */
  private static final int UNSETTLED_SHARE = 4;

  private final ServerConfig config;
  private final EventLoop loop;
  private final ServerMachines machines;
  private final Thread thread;

  private ServerNode(ServerConfig config, EventLoop loop, ServerMachines machines) {
    this.config = config;
    this.loop = loop;
    this.machines = machines;
    this.thread = new Thread(loop, "tempest-loop-" + config.self());
  }

  /**
   * Binds, joins the multicast groups and starts the loop. The replicas then take the state from
   * others by themselves; {@link #awaitActive} waits for that.
   *
   * @param services by name; from now on only the loop calls them
   * @throws java.io.UncheckedIOException if the port is taken or the address is not one of this
   *     machine, saying which and what to do
   * @throws IllegalArgumentException if a server is not {@code host:port} of a known host
   */
  public static ServerNode start(ServerConfig config, Map<String, ServiceInstance> services) {
    SortedMap<Long, Address> view = new TreeMap<>();
    for (String server : config.servers()) {
      view.put(NameHash.of(server), PeerAddress.of(server));
    }
    long self = NameHash.of(config.self());
    SortedMap<Long, Address> others = new TreeMap<>(view);
    others.remove(self);
    long cluster = NameHash.of(config.cluster());
    InetAddress bind = bindAddress(config);
    Endpoint endpoint =
        Endpoint.open(
            new EndpointConfig(
                bind,
                PeerAddress.of(config.self()).socket().getPort(),
                cluster,
                self,
                config.dropPercent(),
                self));
    try {
      MonotonicClock clock = new MonotonicClock();
      ServerMachines machines = new ServerMachines(config.self(), others.values(), endpoint, clock);
      for (Address other : others.values()) {
        endpoint.hearApart((PeerAddress) other);
      }
      boolean multicast = config.multicastPort() > 0;
      for (Map.Entry<String, ServiceInstance> each : services.entrySet()) {
        long service = NameHash.of(each.getKey());
        Order order = order(config, each.getKey());
        Placement placement = placement(service, self, view);
        long seed = ThreadLocalRandom.current().nextLong();
        machines.host(
            each.getKey(),
            each.getValue(),
            Orders.replica(order, placement, each.getValue(), seed, clock.nowNanos()));
        if (config.multicastPort() > 0) {
          multicast &= endpoint.join(MulticastGroups.of(cluster, service, config.multicastPort()));
        }
      }
      announce(config, endpoint, bind, multicast);
      ServerNode node = new ServerNode(config, new EventLoop(endpoint, machines), machines);
      node.thread.start();
      return node;
    } catch (RuntimeException failed) {
      endpoint.close();
      throw failed;
    }
  }

  /**
   * Waits until all services have state and serve; false if they do not within {@code timeout}, or
   * the server stops before.
   */
  public boolean awaitActive(Duration timeout) throws InterruptedException {
    return waitFor(machines.active(), timeout);
  }

  /** How the server and its services are; once closed, how they were. */
  public Status status() throws InterruptedException {
    return ask(() -> machines.status(0));
  }

  /** How the replicas came to their state; those that have none yet are said to have started so. */
  public List<Joined> joined() throws InterruptedException {
    Map<Long, String> names = new HashMap<>();
    config.servers().forEach(server -> names.put(NameHash.of(server), server));
    return ask(() -> machines.joined(names));
  }

  /** Tells of services here that turn out not to be deterministic; the log does, too. */
  public Registration onDiverged(DivergenceListener listener) {
    return machines.add(listener);
  }

  /** What the network brought and what was dropped of it, by kind; only kinds that occurred. */
  public Map<String, Long> counters() {
    return machines.counters();
  }

  /** Waits until the server is closed. */
  public void awaitClosed() throws InterruptedException {
    thread.join();
  }

  /** Stops the loop and closes the sockets; what was under way is dropped. */
  @Override
  public void close() {
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

  /** Asks the machines on the loop that owns them. */
  private <T> T ask(Callable<T> question) throws InterruptedException {
    FutureTask<T> answer = new FutureTask<>(question);
    loop.execute(answer);
    while (true) {
      try {
        return answer.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException late) {
        if (!thread.isAlive()) {
          answer.run();
        }
      } catch (ExecutionException bug) {
        throw new IllegalStateException("the server cannot tell", bug);
      }
    }
  }

  private static Order order(ServerConfig config, String service) {
    int gossipMillis = (int) config.gossipInterval().toMillis();
    return Order.EVENTUAL
        .withGossipMillis(gossipMillis, gossipMillis)
        .withAdopts(config.options(service).adopts())
        .withExecutesAny(config.options(service).executeAny());
  }

  private static Placement placement(long service, long self, SortedMap<Long, Address> view) {
    Placement usual = Placement.of(service, self, view);
    long shareBytes = Runtime.getRuntime().maxMemory() / UNSETTLED_SHARE;
    return usual.withWaitingMaxBytes(Math.min(usual.waitingMaxBytes(), shareBytes));
  }

  private static InetAddress bindAddress(ServerConfig config) {
    try {
      return InetAddress.getByName(config.bindHost());
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "the host to bind, \"" + config.bindHost() + "\", is unknown: check its spelling",
          unknown);
    }
  }

  private static void announce(
      ServerConfig config, Endpoint endpoint, InetAddress bind, boolean multicast) {
    LOGGER.log(
        Level.INFO,
        "Server {0} of cluster {1} listens on {2}{3}; {4}",
        config.self(),
        config.cluster(),
        endpoint.address(),
        bind.isLoopbackAddress() ? ", reachable from this machine only" : "",
        multicast
            ? "requests come by multicast, port " + Integer.toString(config.multicastPort())
            : "no multicast, requests come one by one");
  }

  private static boolean waitFor(CompletableFuture<Boolean> event, Duration timeout)
      throws InterruptedException {
    try {
      return event.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
  }
}
