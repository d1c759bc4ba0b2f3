package dev.tempest.operations;

import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a node, for any registry of Micrometer. Close it with the node: registries outlive
 * nodes, and have one meter of a name and its tags.
 *
 * <pre>{@code
 * NodeMetrics metrics = new NodeMetrics(node.monitor());
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>Nothing is measured for it: a meter that is read tells what the node counts anyway, half a
 * second old at most. Meters of services and collections come and go with these; there are at most
 * 256 collections, those with most entries.
 *
 * <p>Thread-safe. Bind it to each registry once.
 */
public final class NodeMetrics implements MeterBinder, AutoCloseable {
  private final NodeWatch node;
  private final List<PartMeters> bound = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable VitalsIndex> followed = new AtomicReference<>();

  /** Of the node that the monitor is of. */
  public NodeMetrics(NodeMonitor monitor) {
    this(new NodeWatch(monitor));
  }

  NodeMetrics(NodeWatch node) {
    this.node = node;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    PartMeters meters = new PartMeters(registry, this);
    bound.add(meters);
    VitalsIndex known = node.vitals();
    if (known != null) {
      meters.follow(known);
    }
  }

  /** Has meters of what there is now, and none of what is gone. */
  void follow() {
    var unused = known();
  }

  private @Nullable VitalsIndex known() {
    VitalsIndex known = node.vitals();
    if (known != null && followed.getAndSet(known) != known) {
      bound.forEach(meters -> meters.follow(known));
    }
    return known;
  }

  NodeHealth health() {
    return node.health();
  }

  /** Not a number while the node has said nothing yet. */
  double read(ToDoubleFunction<VitalsIndex> value) {
    VitalsIndex known = known();
    return known == null ? Double.NaN : value.applyAsDouble(known);
  }

  /** Takes its meters out of all registries. */
  @Override
  public void close() {
    bound.forEach(PartMeters::close);
    bound.clear();
  }
}
