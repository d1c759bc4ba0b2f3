package dev.tempest.cli;

import dev.tempest.Node;
import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reconcile;
import dev.tempest.http.HttpServer;
import dev.tempest.operations.Operations;
import dev.tempest.operations.OperationsServlet;
import dev.tempest.runtime.Joined;
import dev.tempest.runtime.node.LocalNode;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A node with a file, in a process of its own: says who it is, joins its cluster, serves until it
 * is told to stop.
 *
 * <p>Thread-safe.
 */
final class Server implements AutoCloseable {
  private static final Duration JOIN_NOTICE = Duration.ofSeconds(10);

  private final NodeConfig config;
  private final LocalNode node;
  private final PrintStream out;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Optional<Http> httpPlace;
  private volatile @Nullable HttpServer http;

  /**
   * Where it answers over HTTP.
   *
   * @param advertised the URL at which callers reach it; empty if that is not said
   */
  record Http(HostPort listen, Optional<String> advertised) {}

  private Server(NodeConfig config, Optional<Http> httpPlace, LocalNode node, PrintStream out) {
    this.config = config;
    this.httpPlace = httpPlace;
    this.node = node;
    this.out = out;
  }

  /**
   * Loads the services and starts to listen.
   *
   * @param http where it answers over HTTP; empty if it does not
   * @param out where the server says how it is
   * @throws ConfigException if a service cannot be hosted, or members are listed and this is none
   * @throws UncheckedIOException if no port is free
   */
  static Server start(NodeConfig config, Optional<Http> http, PrintStream out) {
    NodeConfig closedByCommand = config.toBuilder().shutdownHook(false).build();
    Server server = new Server(config, http, LocalNode.start(closedByCommand), out);
    server.introduce();
    return server;
  }

  /** Where this server is reached. */
  String address() {
    return node.address();
  }

  /**
   * Answers operators over HTTP, says how it came to its state, then waits until it is closed, or
   * serves nothing any more.
   *
   * @return why it serves nothing; empty if it was closed
   * @throws CommandException if it cannot listen for HTTP
   */
  Optional<String> serve() throws InterruptedException {
    httpPlace.ifPresent(this::startHttp); // Operators see it while it waits, too.
    if (awaitActive()) {
      openServices();
      sayReady();
    }
    return node.awaitEnd();
  }

  private void openServices() {
    HttpServer started = http;
    if (started != null && !closed.get()) {
      try {
        started.openServices();
      } catch (IllegalStateException nodeClosed) {
        return; // Meanwhile.
      }
    }
  }

  private void startHttp(Http place) {
    HttpServer.Builder answers =
        HttpServer.builder(Node.of(node)).listen(place.listen().toString());
    place.advertised().ifPresent(answers::advertise);
    OperationsServlet operations = new OperationsServlet(Node.of(node).monitor());
    Operations.PATHS.forEach(path -> answers.mount(path, operations));
    HttpServer started = started(answers, place);
    http = started;
    if (closed.get()) { // Then nobody closes it later.
      started.close();
    }
    out.println("http: " + started.url() + ", and for people " + started.url() + "/dashboard");
  }

  private static HttpServer started(HttpServer.Builder answers, Http place) {
    try {
      return answers.startWithoutServices();
    } catch (UncheckedIOException failed) {
      CommandException unavailable =
          new CommandException(
              ExitCode.UNAVAILABLE,
              String.valueOf(failed.getMessage()),
              "http: " + place.listen(),
              "set http in tempest.yaml, or TEMPEST_HTTP");
      unavailable.initCause(failed);
      throw unavailable;
    }
  }

  private void sayReady() throws InterruptedException {
    for (Joined joined : node.joined()) {
      out.println(joined.service() + ": " + origin(joined));
    }
    List<String> members = node.members(); // Others may be joining right now.
    List<String> others = members.subList(1, members.size());
    out.println(
        others.isEmpty() ? "no other members" : "other members: " + String.join(", ", others));
    out.println("ready");
  }

  static String origin(Joined joined) {
    if (joined.updates() == 0) {
      return "started with no state";
    }
    return String.format(
        Locale.ROOT,
        joined.updates() == 1 ? "%s, %,d update" : "%s, %,d updates",
        source(joined),
        joined.updates());
  }

  private static String source(Joined joined) {
    String from = joined.from();
    if (joined.own().isEmpty()) {
      return from == null ? "begun with the others" : "state taken from " + from;
    }
    return "back with " + joined.own() + (from == null ? "" : ", and more taken from " + from);
  }

  /** False if it never will be: it is closed, or a replica has stopped. */
  private boolean awaitActive() throws InterruptedException {
    try {
      while (!node.awaitActive(JOIN_NOTICE)) {
        out.println("still without state: waiting for other processes, or for the state of one");
      }
      return true;
    } catch (IllegalStateException never) {
      return false;
    }
  }

  private void introduce() {
    out.println("Tempest server " + address() + " of the cluster " + config.cluster());
    out.println(
        isLoopback(address())
            ? "  reached   from this machine only"
            : "  reached   from the network, without a key: keep strangers out by a firewall");
    for (ServiceConfig service : config.services()) {
      out.println(
          "  service   " + service.name() + ", " + service.className() + how(service.options()));
    }
  }

  /** What is not as it usually is. */
  private static String how(ServiceOptions options) {
    boolean byTime = options.consistency() == Consistency.EVENTUAL;
    String how = byTime ? "" : "; " + word(options.consistency());
    if (byTime ? options.execute() == Execute.ANY : options.execute() != Execute.LEADER) {
      how += "; execute: " + word(options.execute());
    }
    if (options.reads() != ServiceOptions.Reads.LINEARIZABLE && !byTime) {
      how += "; reads: " + word(options.reads());
    }
    if (options.ballots() == ServiceOptions.Ballots.FAST) {
      how += "; ballots: fast";
    }
    return options.reconcile() == Reconcile.ADOPT
        ? how + "; reconcile: adopt, loses updates that others lack"
        : how;
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(HostPort.parse(address).host()).isLoopbackAddress();
    } catch (UnknownHostException impossible) {
      throw new AssertionError("the address of a node is numeric", impossible);
    }
  }

  /** Stops serving, and says so; once. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      HttpServer answering = http;
      if (answering != null) {
        answering.close(); // While the node still can answer.
      }
      node.close();
      out.println("stopped");
    }
  }
}
