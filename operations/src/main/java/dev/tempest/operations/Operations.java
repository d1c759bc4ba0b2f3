package dev.tempest.operations;

import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.runtime.Json;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a node is, for whatever answers HTTP: {@link OperationsServlet} in a container of servlets.
 * It only reads. There is no password: show it where only operators get to.
 *
 * <p>Thread-safe.
 */
public final class Operations implements AutoCloseable {
  /** Of every answer. */
  public static final Map<String, String> HEADERS =
      Map.of(
          "Cache-Control", "no-store",
          "X-Content-Type-Options", "nosniff",
          "Content-Security-Policy", Dashboard.POLICY);

  /** What there is, for {@link #answer}. */
  public static final Set<String> PATHS =
      Set.of("/metrics", "/health/live", "/health/ready", "/dashboard", "/status.json");

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final NodeWatch node;
  private final NodeMetrics metrics;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final ClusterWatch cluster;
  private final StateText state;

  /** Shows the node that the monitor is of. */
  public Operations(NodeMonitor monitor) {
    this.node = new NodeWatch(monitor);
    this.metrics = new NodeMetrics(node);
    this.cluster = new ClusterWatch(monitor);
    this.state = new StateText(monitor, node, cluster);
    metrics.bindTo(registry);
    garbage.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
  }

  /**
   * What is at a path.
   *
   * @param path one of {@link #PATHS}; another one is answered with 404
   */
  public Content answer(String path) {
    return switch (path) {
      case "/metrics" -> metrics();
      case "/health/live" -> health(NodeHealth::live);
      case "/health/ready" -> health(NodeHealth::ready);
      case "/status.json" -> Content.json(Content.OK, state.toJson());
      case "/", "/dashboard" -> Dashboard.PAGE;
      default -> Content.nothing();
    };
  }

  private Content metrics() {
    metrics.follow(); // Before the scrape begins: it has what is new, too.
    return new Content(Content.OK, PROMETHEUS, registry.scrape());
  }

  private Content health(Predicate<NodeHealth> wanted) {
    NodeHealth health = node.health();
    boolean up = wanted.test(health);
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("status", up ? "UP" : "DOWN");
    json.put("reasons", up ? List.of() : health.reasons());
    json.put("warnings", health.warnings());
    return Content.json(up ? Content.OK : Content.UNAVAILABLE, Json.of(json));
  }

  @Override
  public void close() {
    cluster.close();
    garbage.close();
    metrics.close();
    registry.close();
  }
}
