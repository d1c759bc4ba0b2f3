package dev.tempest.operations;

import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a node, for any registry of Micrometer.
 *
 * <pre>{@code
 * new NodeMetrics(node.monitor()).bindTo(registry);
 * }</pre>
 *
 * <p>Nothing is measured for it: a meter that is read tells what the node counts anyway, half a
 * second old at most. Meters of services and collections come and go with these; there are at most
 * 256 collections, those with most entries.
 *
 * <p>Thread-safe. Bind it to each registry once.
 */
public final class NodeMetrics implements MeterBinder {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Readings readings;
  private final List<PartMeters> bound = new CopyOnWriteArrayList<>();

  /** Of the node that the monitor is of. */
  public NodeMetrics(NodeMonitor monitor) {
    this.readings = new Readings(monitor, vitals -> bound.forEach(parts -> parts.follow(vitals)));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("tempest.live", () -> readings.recent().health().live() ? 1 : 0)
        .description("1 if the event loop runs, else 0")
        .register(registry);
    Gauge.builder("tempest.ready", () -> readings.recent().health().ready() ? 1 : 0)
        .description("1 if the node is a member, has its state and serves, else 0")
        .register(registry);
    gauge(
        registry,
        "tempest.members",
        "members that the node knows, itself included",
        Tags.empty(),
        vitals -> vitals.status().members().size() + vitals.status().membersMore());
    gauge(
        registry,
        "tempest.members.silent",
        "members that nothing was heard of for a while",
        Tags.empty(),
        vitals -> vitals.status().members().stream().filter(MemberStatus::silent).count());
    String waiting = "requests that have arrived and wait for their turn";
    gauge(
        registry,
        "tempest.requests.waiting",
        waiting,
        Tags.of("kind", "update"),
        NodeVitals::updatesWaiting);
    gauge(
        registry,
        "tempest.requests.waiting",
        waiting,
        Tags.of("kind", "read"),
        NodeVitals::readsWaiting);
    FunctionCounter.builder(
            "tempest.loop.busy",
            this,
            self -> self.read(vitals -> vitals.loopBusy().toNanos() / NANOS_PER_SECOND))
        .baseUnit("seconds")
        .description("how long the event loop did something: more than 1 a second it cannot")
        .register(registry);
    bound.add(new PartMeters(registry, this));
    refresh();
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      Tags tags,
      ToDoubleFunction<NodeVitals> value) {
    Gauge.builder(name, () -> read(value)).description(description).tags(tags).register(registry);
  }

  /** Asks the node, so that what is read next is of now. */
  void refresh() {
    var unused = readings.now();
  }

  /** Not a number while the node has said nothing yet. */
  double read(ToDoubleFunction<NodeVitals> value) {
    NodeVitals vitals = readings.recent().vitals();
    return vitals == null ? Double.NaN : value.applyAsDouble(vitals);
  }
}
