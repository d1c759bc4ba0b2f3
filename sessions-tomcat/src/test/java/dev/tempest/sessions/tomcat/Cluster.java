package dev.tempest.sessions.tomcat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Tomcats that share the sessions of a web application, each with a node of its own. */
final class Cluster implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String ACTION = "action";

  private final Path folder;
  private final BiConsumer<Context, TempestManager> settings;
  private final Map<String, Action> actions = new ConcurrentHashMap<>();
  private final AtomicInteger actionCount = new AtomicInteger();
  private final List<Tomcat> tomcats = new ArrayList<>();
  private final List<Context> contexts = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final NodeConfig config =
      NodeConfig.builder()
          .cluster("tomcat-%d-%d".formatted(ProcessHandle.current().pid(), COUNT.getAndIncrement()))
          .listen("127.0.0.1")
          .build();

  /** What the web application does with a request; what it returns is the body of the response. */
  interface Action {
    Object answer(HttpServletRequest request, HttpServletResponse response) throws Exception;
  }

  Cluster(Path folder, BiConsumer<Context, TempestManager> settings) throws Exception {
    this.folder = folder;
    this.settings = settings;
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
    Context context = tomcat.addContext("/shop", folder.toString());
    contexts.add(context);
    TempestManager manager = new TempestManager(node);
    context.setManager(manager);
    Tomcat.addServlet(context, "application", new Application()).setAsyncSupported(true);
    context.addServletMappingDecoded("/*", "application");
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

  /** Has a Tomcat answer a request. */
  HttpResponse<String> ask(int tomcat, Browser browser, Action action) {
    return ask(tomcat, browser, "/shop/", action);
  }

  HttpResponse<String> ask(int tomcat, Browser browser, String path, Action action) {
    String name = String.valueOf(actionCount.incrementAndGet());
    prepare(name, action);
    return browser.get(port(tomcat), path, ACTION, name);
  }

  /** For requests whose header says {@code action: name}. */
  void prepare(String name, Action action) {
    actions.put(name, action);
  }

  /** The same, for its body. */
  String get(int tomcat, Browser browser, Action action) {
    HttpResponse<String> response = ask(tomcat, browser, action);
    if (response.statusCode() != HttpServletResponse.SC_OK) {
      throw new AssertionError(response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  static void eventually(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("not in time");
      }
      Thread.onSpinWait();
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

  private final class Application extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        Object answer = actions.get(request.getHeader(ACTION)).answer(request, response);
        if (!request.isAsyncStarted() && answer != null) {
          response.getWriter().print(answer);
        }
      } catch (Exception | AssertionError failed) {
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, failed.toString());
      }
    }
  }
}
