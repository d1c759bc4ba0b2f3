package dev.tempest.server;

import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.NodeSettings;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceConfig.Execute;
import dev.tempest.config.ServiceConfig.Reconcile;
import dev.tempest.runtime.Joined;
import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServerNode;
import dev.tempest.service.ServiceInstance;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A server process: says who it is, joins its cluster, serves until it is told to stop.
 *
 * <p>Thread-safe.
 */
public final class Server implements AutoCloseable {
  private static final Duration JOIN_NOTICE = Duration.ofSeconds(10);

  private final NodeConfig config;
  private final ServerConfig place;
  private final ServerNode node;
  private final PrintStream out;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Server(NodeConfig config, ServerConfig place, ServerNode node, PrintStream out) {
    this.config = config;
    this.place = place;
    this.node = node;
    this.out = out;
  }

  /**
   * Loads the services and starts to listen.
   *
   * @param dropPercent how many of 100 arriving datagrams are thrown away on purpose, for
   *     demonstrations
   * @param out where the server says how it is
   * @throws ConfigException if there are no services, or one cannot be hosted
   * @throws UncheckedIOException if no port is free
   */
  public static Server start(NodeConfig config, double dropPercent, PrintStream out) {
    if (config.services().isEmpty()) {
      throw new ConfigException(
          NodeSettings.FILE, "a server without services", "list them under services:");
    }
    Map<String, ServiceInstance> services = ServiceClasses.load(config.services());
    Iterator<ServerConfig> places = OwnMember.places(config, dropPercent).iterator();
    while (true) {
      ServerConfig place = places.next();
      try {
        Server server = new Server(config, place, ServerNode.start(place, services), out);
        server.introduce();
        return server;
      } catch (UncheckedIOException taken) {
        if (!places.hasNext()) {
          throw taken;
        }
      }
    }
  }

  /** Where this server is reached. */
  public String address() {
    return place.self();
  }

  /** Says how its services came to their state, then waits until it is closed. */
  public void serve() throws InterruptedException {
    while (!node.awaitActive(JOIN_NOTICE)) {
      out.println("still without state: no other server has answered with its own");
    }
    for (Joined joined : node.joined()) {
      out.println(
          joined.entries() == 0
              ? joined.service() + ": started with no state"
              : String.format(
                  Locale.ROOT,
                  "%s: state taken from %s, %,d entries",
                  joined.service(),
                  joined.from(),
                  joined.entries()));
    }
    out.println("ready");
    node.awaitClosed();
  }

  private void introduce() {
    out.println("Tempest server " + place.self() + " of the cluster " + place.cluster());
    out.println(
        isLoopback(place.bindHost())
            ? "  reached   from this machine only"
            : "  reached   from the network, without a key: keep strangers out by a firewall");
    out.println(
        "  members   "
            + place.servers().stream()
                .map(server -> server.equals(place.self()) ? server + " (this one)" : server)
                .collect(Collectors.joining(", ")));
    for (ServiceConfig service : config.services()) {
      out.println(
          "  service   "
              + service.name()
              + ", "
              + service.className()
              + (service.execute() == Execute.ANY ? "; execute: any" : "")
              + (service.reconcile() == Reconcile.ADOPT
                  ? "; reconcile: adopt, loses updates that others lack"
                  : ""));
    }
    if (place.dropPercent() > 0) {
      out.println(
          "  faults    " + place.dropPercent() + " % of arriving datagrams dropped on purpose");
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Stops serving, and says so; once. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      node.close();
      out.println("stopped");
    }
  }
}
