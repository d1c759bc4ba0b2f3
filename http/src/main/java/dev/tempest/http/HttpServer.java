package dev.tempest.http;

import dev.tempest.Node;
import dev.tempest.config.HostPort;
import dev.tempest.config.HttpUrl;
import dev.tempest.runtime.LogLines;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/**
 * Answers requests over HTTP for a node, by an embedded Tomcat with a virtual thread for each
 * request.
 *
 * <pre>{@code
 * try (HttpServer http = HttpServer.builder(node).listen("127.0.0.1:8080").start()) {
 *   System.out.println(http.url());
 * }
 * }</pre>
 *
 * <p>It has a {@link ServicesServlet} at its root, and what is mounted beside it. Thread-safe.
 */
public final class HttpServer implements AutoCloseable {
  private static final System.Logger LOGGER = LogLines.logger(HttpServer.class);

  private static final Duration WHITEBOARD_PAUSE = Duration.ofSeconds(1);

  private final Tomcat tomcat;
  private final Path folder;
  private final InFlight inFlight;
  private final Answers answers;
  private final Node node;
  private final HttpLimits limits;
  private final ServicesGate gate;
  private final List<String> beside;
  private final String advertised;
  private final String url;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicBoolean closing = new AtomicBoolean();

  private HttpServer(Builder builder) {
    this.folder = temporaryFolder();
    this.node = builder.node;
    this.limits = builder.limits;
    this.advertised = builder.advertised;
    this.beside = List.copyOf(builder.mounted.keySet());
    this.answers = Answers.toldBy(node);
    this.gate = new ServicesGate(limits.deadline(), answers);
    this.inFlight = new InFlight(limits.connectionsKept(), answers);
    this.tomcat = tomcat(builder);
    boolean started = false;
    try {
      start(builder);
      started = true;
    } finally {
      if (!started) {
        stop();
      }
    }
    this.url = "http://" + new HostPort(host(builder), tomcat.getConnector().getLocalPort());
  }

  /** Begins with 127.0.0.1:8080 and {@link HttpLimits#DEFAULT}. */
  public static Builder builder(Node node) {
    return new Builder(node);
  }

  /** Where it is reached from this network: {@code http://HOST:PORT}. */
  public String url() {
    return url;
  }

  /**
   * Answers services from now on, after {@link Builder#startWithoutServices}; once.
   *
   * @throws IllegalStateException if the node or this server is closed, or it answers services
   *     already
   */
  public void openServices() {
    ServicesServlet services = new ServicesServlet(node, limits, new Keys(node), beside);
    if (!gate.open(services)) {
      services.destroy();
      throw new IllegalStateException("it is closed, or answers services already");
    }
    Thread.ofVirtual().name("tempest-http-whiteboard").start(() -> keepWriting(services));
  }

  /** How many requests are executed now. */
  int load() {
    ServicesServlet services = gate.services();
    return services == null ? 0 : services.load();
  }

  /** Says how a server listens, and what it answers. Not thread-safe. */
  public static final class Builder {
    private final Node node;
    private final Map<String, Servlet> mounted = new LinkedHashMap<>();
    private String host = "127.0.0.1";
    private int port = 8080;
    private String advertised = "";
    private HttpLimits limits = HttpLimits.DEFAULT;

    private Builder(Node node) {
      this.node = node;
    }

    /**
     * Where it listens, {@code host:port}; 0.0.0.0 stands for all addresses of this machine.
     *
     * @throws IllegalArgumentException if that reads otherwise
     */
    public Builder listen(String address) {
      HostPort place = HostPort.parse(address);
      host = place.host();
      port = place.port();
      return this;
    }

    /** Listens on a port of 127.0.0.1 that is free; {@link HttpServer#url} says which. */
    public Builder listenAnywhere() {
      port = 0;
      return this;
    }

    /**
     * Where callers reach this server: {@code https://shop.example.org}, also with a port and a
     * path. Other servers send callers there; without it they send nobody here, since where a
     * server listens says nothing about how callers get there.
     *
     * @throws IllegalArgumentException if that is no such URL
     */
    public Builder advertise(String callersUrl) {
      advertised = HttpUrl.check(callersUrl);
      return this;
    }

    /** What requests may take. */
    public Builder limits(HttpLimits chosen) {
      limits = chosen;
      return this;
    }

    /**
     * Has a further servlet answer beside the services; one servlet may have several patterns.
     *
     * @param pattern as servlets have it: {@code /metrics}, or {@code /health/*}
     * @throws IllegalArgumentException if another one has it
     */
    public Builder mount(String pattern, Servlet servlet) {
      if (mounted.putIfAbsent(pattern, servlet) != null) {
        throw new IllegalArgumentException(pattern + " has a servlet already: choose another path");
      }
      return this;
    }

    /**
     * Starts it.
     *
     * @throws UncheckedIOException if it cannot listen, saying why
     */
    public HttpServer start() {
      HttpServer server = startWithoutServices();
      boolean opened = false;
      try {
        server.openServices();
        opened = true;
      } finally {
        if (!opened) {
          server.close();
        }
      }
      return server;
    }

    /**
     * Starts it for a node that waits for its state: what is mounted answers at once, and services
     * are refused (503) until {@link HttpServer#openServices}.
     *
     * @throws UncheckedIOException if it cannot listen, saying why
     */
    public HttpServer startWithoutServices() {
      return new HttpServer(this);
    }
  }

  private static String host(Builder builder) {
    boolean everywhere = builder.host.equals("0.0.0.0") || builder.host.equals("::");
    return everywhere ? HostPort.parse(builder.node.members().getFirst()).host() : builder.host;
  }

  private Tomcat tomcat(Builder builder) {
    Tomcat made = new Tomcat();
    made.setSilent(true);
    made.setBaseDir(folder.toString());
    made.setConnector(connector(builder));
    StandardHost host = (StandardHost) made.getHost();
    host.setErrorReportValveClass("");
    host.getPipeline().addValve(inFlight);
    host.getPipeline().addValve(new ProblemReport());
    StandardContext root = (StandardContext) made.addContext("", folder.toString());
    StandardManager sessions = new StandardManager(); // Nobody asks for one.
    sessions.setPathname(null);
    sessions.setSecureRandomAlgorithm(""); // Which makes its ids is of no matter, and slow.
    root.setManager(sessions);
    root.setClearReferencesRmiTargets(false); // It looks into what is closed to it.
    root.setClearReferencesThreadLocals(false);
    Map<Servlet, Wrapper> wrappers = new HashMap<>();
    mount(root, "/*", gate, wrappers);
    builder.mounted.forEach((pattern, servlet) -> mount(root, pattern, servlet, wrappers));
    return made;
  }

  private static void mount(
      Context root, String pattern, Servlet servlet, Map<Servlet, Wrapper> wrappers) {
    wrappers
        .computeIfAbsent(servlet, first -> Tomcat.addServlet(root, pattern, first))
        .addMapping(pattern);
  }

  private static Connector connector(Builder builder) {
    Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(builder.port);
    connector.setProperty("address", builder.host);
    connector.setProperty("bindOnInit", "false"); // Else it listens until the last request ends.
    connector.setProperty("maxHttpHeaderSize", String.valueOf(HttpLimits.HEADERS_MAX_BYTES));
    connector.setProperty("connectionTimeout", String.valueOf(HttpLimits.SILENCE.toMillis()));
    connector.setProperty("keepAliveTimeout", String.valueOf(HttpLimits.KEEP_ALIVE.toMillis()));
    connector.setProperty("maxConnections", String.valueOf(builder.limits.connectionsMax()));
    connector.setProperty("maxSwallowSize", String.valueOf(builder.limits.bodyMaxBytes()));
    connector.setMaxPostSize(0); // Parameters are in the query only.
    if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
      protocol.setExecutor(new VirtualThreadExecutor("tempest-http-"));
    }
    return connector;
  }

  private void start(Builder builder) {
    try {
      tomcat.getConnector().setThrowOnFailure(true);
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new UncheckedIOException(whyNot(builder, rootOf(failed)), new IOException(failed));
    }
  }

  private static String whyNot(Builder builder, Throwable root) {
    String why = String.valueOf(root.getMessage());
    return root instanceof BindException && why.contains("in use")
        ? "port %d for HTTP is taken on %s".formatted(builder.port, builder.host)
        : "HTTP cannot listen on %s:%d: %s".formatted(builder.host, builder.port, why);
  }

  private static Throwable rootOf(Throwable failed) {
    Throwable root = failed;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** Says every second what there is to do here, as long as the server is there. */
  private void keepWriting(ServicesServlet services) {
    Duration pause = Duration.ZERO; // Whoever was closed before writes nothing.
    try {
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        services.whiteboard().write(new Place(advertised, services.services(), services.load()));
        pause = WHITEBOARD_PAUSE;
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes no more requests, waits up to 10 s for those under way, and ends; once. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    closed.countDown();
    gate.shut();
    ServicesServlet services = gate.services();
    if (services != null) {
      services.whiteboard().wipe();
    }
    tomcat.getConnector().pause();
    tomcat.getConnector().getProtocolHandler().closeServerSocketGraceful();
    try {
      if (!inFlight.drain(HttpLimits.DRAIN)) {
        LOGGER.log(
            Level.WARNING, "Requests were cut off, which took longer than {0}", HttpLimits.DRAIN);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt(); // Then those under way are cut off.
    }
    stop();
  }

  private void stop() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException stuck) {
      throw new IllegalStateException("Tomcat does not end", stuck);
    } finally {
      forget(Globals.CATALINA_HOME_PROP);
      forget(Globals.CATALINA_BASE_PROP);
      answers.close();
      delete(folder);
    }
  }

  /** Else the next Tomcat of this process makes the folder again. */
  private void forget(String property) {
    if (folder.toString().equals(System.getProperty(property))) {
      System.clearProperty(property);
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("tempest-http").toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException stays) {
      throw new UncheckedIOException(stays);
    }
  }
}
