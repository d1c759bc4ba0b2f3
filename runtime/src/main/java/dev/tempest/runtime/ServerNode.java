package dev.tempest.runtime;

import dev.tempest.DivergenceListener;
import dev.tempest.Registration;
import dev.tempest.config.HostPort;
import dev.tempest.config.Network;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.PortRange;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.membership.Self;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.node.Host;
import dev.tempest.runtime.node.HostConfig;
import dev.tempest.runtime.node.Places;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Message.Status;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server: a host of services.
 *
 * <p>Thread-safe.
 */
public final class ServerNode implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ServerNode.class.getName());

  /** Who is away is to be noticed soon. */
  private static final int HEARTBEAT_MILLIS = 250;

  private static final Duration EXPEL_AFTER = Duration.ofSeconds(60);

  private final Host host;
  private final List<DivergenceListener> listeners = new CopyOnWriteArrayList<>();

  private ServerNode(Host host) {
    this.host = host;
  }

  /**
   * Binds, looks for the other servers and starts the loop. The replicas then take the state from
   * others by themselves; {@link #awaitActive} waits for that.
   *
   * @param services by name; from now on only the loop calls them
   * @throws java.io.UncheckedIOException if the port is taken or the address is not one of this
   *     machine, saying which and what to do
   * @throws IllegalArgumentException if a server is not {@code host:port}
   */
  public static ServerNode start(ServerConfig config, Map<String, ServiceInstance> services) {
    List<HostPort> servers = config.servers().stream().map(HostPort::parse).toList();
    int port = HostPort.parse(config.self()).port();
    HostConfig hostConfig =
        new HostConfig(
            config.cluster(),
            config.self().length() <= Self.NAME_CHARS_MAX ? config.self() : "",
            NameHash.of(config.self()),
            bindAddress(config),
            NodeConfig.defaults()::advertise,
            NodeConfig.defaults()::isAllowed,
            new PortRange(port, port),
            () -> Places.lookUp(servers),
            servers.stream().anyMatch(server -> !Network.isAddress(server.host())),
            0,
            config.multicastPort(),
            HEARTBEAT_MILLIS,
            EXPEL_AFTER,
            config.dropPercent());
    ServerNode node = new ServerNode(Host.open(hostConfig, false));
    services.forEach(
        (name, service) -> {
          var unused = node.host.host(name, service, node.listeners, order(config, name));
        });
    LOGGER.log(
        Level.INFO,
        "Server {0} of cluster {1} listens on {2}; {3}",
        config.self(),
        config.cluster(),
        node.host.address(),
        config.multicastPort() > 0
            ? "requests come by multicast, port " + Integer.toString(config.multicastPort())
            : "no multicast, requests come one by one");
    node.host.start();
    return node;
  }

  /**
   * Waits until all services have state and serve; false if they do not within {@code timeout}, or
   * the server stops before.
   */
  public boolean awaitActive(Duration timeout) throws InterruptedException {
    try {
      return host.active().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
  }

  /** How the server and its services are; once closed, how they were. */
  public Status status() throws InterruptedException {
    return host.status();
  }

  /** How the replicas came to their state; those that have none yet are said to have started so. */
  public List<Joined> joined() throws InterruptedException {
    return host.joined();
  }

  /** Tells of services here that turn out not to be deterministic; the log does, too. */
  public Registration onDiverged(DivergenceListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** What the network brought and what was dropped of it, by kind; only kinds that occurred. */
  public Map<String, Long> counters() {
    return host.counters();
  }

  /** Waits until the server is closed. */
  public void awaitClosed() throws InterruptedException {
    host.awaitClosed();
  }

  /** Hands over what only this server has executed, and ends. */
  @Override
  public void close() {
    host.close();
  }

  private static Order order(ServerConfig config, String service) {
    int gossipMillis = (int) config.gossipInterval().toMillis();
    return Order.EVENTUAL
        .withGossipMillis(gossipMillis, gossipMillis)
        .withAdopts(config.options(service).adopts())
        .withExecutesAny(config.options(service).executeAny());
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
}
