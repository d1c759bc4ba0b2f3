package dev.tempest.sessions.tomcat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.sessions.tomcat.Actions.Action;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;

/** Tomcats that share the sessions of a web application, each with a node of its own. */
final class Cluster implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path folder;
  private final BiConsumer<Context, TempestManager> settings;
  private final Actions actions = new Actions();
  private final List<Tomcat> tomcats = new ArrayList<>();
  private final List<Context> contexts = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final NodeConfig config;

  Cluster(Path folder, BiConsumer<Context, TempestManager> settings) throws Exception {
    this(folder, Duration.ofSeconds(10), settings);
  }

  /** Whose writes wait for so long at most. */
  Cluster(Path folder, Duration deadline, BiConsumer<Context, TempestManager> settings)
      throws Exception {
    this.folder = folder;
    this.settings = settings;
    this.config =
        NodeConfig.builder()
            .cluster(
                "tomcat-%d-%d".formatted(ProcessHandle.current().pid(), COUNT.getAndIncrement()))
            .listen("127.0.0.1")
            .deadline(deadline)
            .build();
    add();
    add();
  }

  private void add() throws Exception {
    Node node = Tempest.join(config);
    nodes.add(node);
    Tomcat tomcat = new Tomcat();
    tomcats.add(tomcat);
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    StandardContext context = (StandardContext) tomcat.addContext("/shop", folder.toString());
    context.setClearReferencesThreadLocals(false); // Else it wants packages of the JDK opened.
    context.setClearReferencesRmiTargets(false);
    contexts.add(context);
    TempestManager manager = new TempestManager(node);
    context.setManager(manager);
    Wrapper application = Tomcat.addServlet(context, "application", actions);
    application.setAsyncSupported(true);
    application.addMapping("/*");
    settings.accept(context, manager);
    tomcat.start();
  }

  Context context(int tomcat) {
    return contexts.get(tomcat);
  }

  Node node(int tomcat) {
    return nodes.get(tomcat);
  }

  TempestManager manager(int tomcat) {
    return (TempestManager) contexts.get(tomcat).getManager();
  }

  int port(int tomcat) {
    return tomcats.get(tomcat).getConnector().getLocalPort();
  }

  Actions actions() {
    return actions;
  }

  /** Has a Tomcat answer a request. */
  HttpResponse<String> ask(int tomcat, Browser browser, Action action) {
    return ask(tomcat, browser, "/shop/", action);
  }

  HttpResponse<String> ask(int tomcat, Browser browser, String path, Action action) {
    return actions.ask(port(tomcat), browser, path, action);
  }

  /** The same, for its body. */
  String get(int tomcat, Browser browser, Action action) {
    return Actions.body(ask(tomcat, browser, action));
  }

  static void eventually(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
      if (Thread.interrupted()) {
        throw new AssertionError("not in time");
      }
    }
  }

  @Override
  public void close() throws LifecycleException {
    for (Tomcat each : tomcats) {
      each.stop();
      each.destroy();
    }
    nodes.forEach(Node::close);
  }
}
