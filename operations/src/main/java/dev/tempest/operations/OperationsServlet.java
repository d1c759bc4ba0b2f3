package dev.tempest.operations;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.runtime.Json;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Shows operators how a node is: {@code metrics} for Prometheus, {@code health/live} and {@code
 * health/ready} for whoever starts and stops processes, {@code dashboard} for people, and {@code
 * status.json} with what that shows.
 *
 * <p>Map it to {@code /*}, or to all of a path such as {@code /tempest/*}. It only reads, and
 * answers GET and HEAD. There is no password: mount it where only operators get to.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("serial") // No container stores servlets.
public final class OperationsServlet extends HttpServlet {
  private static final Set<String> METHODS = Set.of("GET", "HEAD");
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final NodeMonitor monitor;
  private final NodeMetrics metrics;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final ClusterWatch cluster;
  private final StateText state;

  /** Shows the node that the monitor is of. */
  public OperationsServlet(NodeMonitor monitor) {
    this.monitor = monitor;
    this.metrics = new NodeMetrics(monitor);
    this.cluster = new ClusterWatch(monitor);
    this.state = new StateText(monitor, cluster);
  }

  @Override
  public void init() {
    metrics.bindTo(registry);
    garbage.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
  }

  @Override
  public void destroy() {
    cluster.close();
    garbage.close();
    registry.close();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Content-Security-Policy", Dashboard.POLICY);
    Content content = answer(request, response);
    response.setStatus(content.status());
    response.setContentType(content.type());
    byte[] body = content.body().getBytes(UTF_8);
    response.setContentLength(body.length);
    if (!request.getMethod().equals("HEAD")) {
      response.getOutputStream().write(body);
    }
  }

  private Content answer(HttpServletRequest request, HttpServletResponse response) {
    if (!METHODS.contains(request.getMethod())) {
      response.setHeader("Allow", "GET, HEAD");
      return Content.text(HttpServletResponse.SC_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    }
    return switch (path(request)) {
      case "/metrics" -> metrics();
      case "/health/live" -> health(NodeHealth::live);
      case "/health/ready" -> health(NodeHealth::ready);
      case "/status.json" -> Content.json(HttpServletResponse.SC_OK, state.toJson());
      case "/", "/dashboard" -> Dashboard.PAGE;
      case "" -> {
        String folder = request.getContextPath() + request.getServletPath();
        response.setHeader("Location", folder + "/dashboard"); // What it fetches is beside it.
        yield Content.text(HttpServletResponse.SC_FOUND, "dashboard\n");
      }
      default ->
          Content.text(
              HttpServletResponse.SC_NOT_FOUND,
              "nothing here: metrics, health/live, health/ready, dashboard, status.json\n");
    };
  }

  /** Of a mapping of its own, or below one that ends with a star. */
  private static String path(HttpServletRequest request) {
    String below = request.getPathInfo();
    return request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
        ? below == null ? "" : below
        : request.getServletPath();
  }

  private Content metrics() {
    metrics.refresh();
    return new Content(HttpServletResponse.SC_OK, PROMETHEUS, registry.scrape());
  }

  private Content health(Predicate<NodeHealth> wanted) {
    NodeHealth health = monitor.health();
    boolean up = wanted.test(health);
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("status", up ? "UP" : "DOWN");
    json.put("reasons", up ? List.of() : health.reasons());
    return Content.json(
        up ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE, Json.of(json));
  }
}
