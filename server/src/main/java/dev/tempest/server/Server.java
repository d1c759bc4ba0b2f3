package dev.tempest.server;

import dev.tempest.config.ConfigException;
import dev.tempest.runtime.Joined;
import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServerNode;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A server process: says who it is, joins its cluster, serves until it is told to stop.
 *
 * <p>Thread-safe.
 */
public final class Server implements AutoCloseable {
  private static final Duration JOIN_NOTICE = Duration.ofSeconds(10);

  private final ServerFile file;
  private final ServerNode node;
  private final PrintStream out;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Server(ServerFile file, ServerNode node, PrintStream out) {
    this.file = file;
    this.node = node;
    this.out = out;
  }

  /**
   * Loads the services and starts to listen.
   *
   * @param out where the server says how it is
   * @throws ConfigException if a service cannot be hosted
   * @throws java.io.UncheckedIOException if the port is taken
   */
  public static Server start(ServerFile file, PrintStream out) {
    Server server =
        new Server(file, ServerNode.start(file.node(), ServiceClasses.load(file.services())), out);
    server.introduce();
    return server;
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
    ServerConfig config = file.node();
    out.println("Tempest server " + config.self() + " of the cluster " + config.cluster());
    out.println(
        isLoopback(config.bindHost())
            ? "  reached   from this machine only; listen: on a network address for others"
            : "  reached   from the network, without a key: keep strangers out by a firewall");
    out.println(
        "  members   "
            + config.servers().stream()
                .map(server -> server.equals(config.self()) ? server + " (this one)" : server)
                .collect(Collectors.joining(", ")));
    for (HostedService service : file.services()) {
      boolean adopts = service.options().adopts();
      out.println(
          "  service   "
              + service.name()
              + ", "
              + service.className()
              + (service.options().executeAny() ? "; execute: any" : "")
              + (adopts ? "; reconcile: adopt, loses updates that others lack" : ""));
    }
    if (config.dropPercent() > 0) {
      out.println(
          "  faults    " + config.dropPercent() + " % of arriving datagrams dropped on purpose");
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
