package dev.tempest.operations;

import dev.tempest.admin.CollectionStatus;
import dev.tempest.admin.Latencies;
import dev.tempest.admin.MemberStatus;
import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.NodeVitals;
import dev.tempest.admin.NodeVitals.Measured;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.admin.ServiceStatus.Role;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a node in one registry. Those of what it has several of come and go with that.
 *
 * <p>Thread-safe.
 */
final class PartMeters implements AutoCloseable {
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final double NANOS_PER_SECOND = 1_000_000_000;

  /** What has meters: the node, a service, a collection, or one of a few kinds of counts. */
  private record Part(String what, String service, String name) {}

  private static final Part NODE = new Part("node", "", "");

  private final MeterRegistry registry;
  private final NodeMetrics node;
  private final Map<Part, List<Meter>> meters = new HashMap<>();
  private boolean isClosed;

  /** Reads what {@code node} knows. */
  PartMeters(MeterRegistry registry, NodeMetrics node) {
    this.registry = registry;
    this.node = node;
    meters.put(NODE, ofNode());
  }

  /** There are meters of all that is there, and of nothing else. */
  synchronized void follow(VitalsIndex known) {
    if (isClosed) {
      return;
    }
    NodeVitals vitals = known.vitals();
    Set<Part> there = new HashSet<>(Set.of(NODE));
    for (String kind : vitals.network().keySet()) {
      add(there, new Part("network", "", kind), () -> ofNetwork(kind));
    }
    for (Measured measured : vitals.latencies().keySet()) {
      add(there, new Part("latency", "", measured.name()), () -> ofLatency(measured));
    }
    known
        .counts()
        .forEach((of, counts) -> {
          for (String kind : counts.keySet()) {
            add(there, new Part("counts", of, kind), () -> ofCounts(of, kind));
          }
        });
    for (ServiceStatus service : vitals.status().services()) {
      add(there, new Part("service", service.name(), ""), () -> ofService(service.name()));
    }
    for (CollectionStatus each : vitals.status().collections()) {
      Part part = new Part("collection", each.service(), each.collection());
      add(there, part, () -> ofCollection(each.service(), each.collection()));
    }
    meters
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !there.contains(entry.getKey());
          if (gone) {
            entry.getValue().forEach(registry::remove);
          }
          return gone;
        });
  }

  /** Takes them all out of the registry. */
  @Override
  public synchronized void close() {
    isClosed = true;
    meters.values().forEach(each -> each.forEach(registry::remove));
    meters.clear();
  }

  private void add(Set<Part> there, Part part, Supplier<List<Meter>> made) {
    there.add(part);
    if (!meters.containsKey(part)) {
      meters.put(part, made.get());
    }
  }

  private List<Meter> ofNode() {
    String waiting = "requests that have arrived and wait for their turn";
    return List.of(
        ofHealth("tempest.live", "1 if the event loop runs, else 0", NodeHealth::live),
        ofHealth(
            "tempest.ready",
            "1 if the node is a member, has its state and serves, else 0",
            NodeHealth::ready),
        gauge(
            "tempest.members",
            "",
            "members that the node knows, itself included",
            Tags.empty(),
            known -> members(known.vitals().status())),
        gauge(
            "tempest.members.silent",
            "",
            "members that nothing was heard of for a while",
            Tags.empty(),
            known -> silent(known.vitals().status())),
        gauge(
            "tempest.requests.waiting",
            "",
            waiting,
            Tags.of("kind", "update"),
            known -> known.vitals().updatesWaiting()),
        gauge(
            "tempest.requests.waiting",
            "",
            waiting,
            Tags.of("kind", "read"),
            known -> known.vitals().readsWaiting()),
        counter(
            "tempest.loop.busy",
            "seconds",
            "how long the event loop did something: more than 1 a second it cannot",
            Tags.empty(),
            known -> known.vitals().loopBusy().toNanos() / NANOS_PER_SECOND));
  }

  private Meter ofHealth(String name, String description, Predicate<NodeHealth> holds) {
    return Gauge.builder(name, () -> holds.test(node.health()) ? 1 : 0)
        .description(description)
        .register(registry);
  }

  private static long members(NodeStatus status) {
    return status.members().size() + status.membersMore();
  }

  private static long silent(NodeStatus status) {
    return status.members().stream().filter(MemberStatus::silent).count();
  }

  private List<Meter> ofNetwork(String kind) {
    return List.of(
        counter(
            "tempest.network",
            "",
            "datagrams, connections and messages that came, went, and were lost or refused",
            Tags.of("kind", kind),
            known -> known.vitals().network().getOrDefault(kind, 0L)));
  }

  private List<Meter> ofCounts(String of, String kind) {
    return List.of(
        counter(
            "tempest." + of,
            "",
            "what happened in this process, by kind",
            Tags.of("kind", kind),
            known -> known.counts().getOrDefault(of, Map.of()).getOrDefault(kind, 0L)));
  }

  /** Cumulative, as histograms of Prometheus are. */
  private List<Meter> ofLatency(Measured measured) {
    List<Meter> all = new ArrayList<>();
    for (int i = 0; i <= Latencies.BOUNDS.size(); i++) {
      int last = i;
      all.add(
          counter(
              "tempest.latency.within",
              "",
              "how many took at most so many seconds",
              Tags.of("of", measured.word(), "le", bound(last)),
              known -> within(known.vitals().latencies().get(measured), last)));
    }
    return all;
  }

  private static String bound(int index) {
    return index == Latencies.BOUNDS.size()
        ? "+Inf"
        : String.valueOf(Latencies.BOUNDS.get(index).toNanos() / NANOS_PER_SECOND);
  }

  private static double within(@Nullable Latencies latencies, int last) {
    return latencies == null
        ? 0
        : latencies.counts().stream().limit(last + 1L).mapToLong(Long::longValue).sum();
  }

  private List<Meter> ofService(String name) {
    ServiceMeters all = new ServiceMeters(name);
    all.gauge("active", "", "1 if the replica has state and serves", s -> s.active() ? 1 : 0);
    all.gauge("leader", "", "1 if it leads", s -> s.role() == Role.LEADER ? 1 : 0);
    all.counter("updates", "updates in the state", ServiceStatus::executed);
    all.gauge("unsettled", "", "updates whose place may change", ServiceStatus::unsettled);
    all.gauge("lag", "seconds", "age of the oldest of these", s -> secondsOrNaN(s.lagMillis()));
    all.counter("late", "updates that arrived after later ones", ServiceStatus::late);
    all.counter("rerun", "updates executed again because of those", ServiceStatus::rerun);
    all.counter("repaired", "updates that came from other replicas", ServiceStatus::repaired);
    all.counter("reads", "reads served", ServiceStatus::reads);
    all.counter("by.votes", "updates that counted by votes", ServiceStatus::byVotes);
    all.counter("diverged", "how often updates led to another state here", ServiceStatus::diverged);
    all.gauge(
        "checkpoint.age",
        "seconds",
        "how old the latest checkpoint is",
        s -> secondsOrNaN(s.checkpointMillis()));
    all.gauge(
        "checkpoint.failing",
        "",
        "1 if a later one cannot be written",
        s -> s.checkpointFailing() ? 1 : 0);
    return all.made;
  }

  /** Those of one service, whose names begin alike. */
  private final class ServiceMeters {
    private final String service;
    private final List<Meter> made = new ArrayList<>();

    ServiceMeters(String service) {
      this.service = service;
    }

    void gauge(
        String name, String unit, String description, ToDoubleFunction<ServiceStatus> value) {
      made.add(
          PartMeters.this.gauge(
              "tempest.service." + name,
              unit,
              description,
              Tags.of("service", service),
              known -> valueOf(known.service(service), value)));
    }

    void counter(String name, String description, ToDoubleFunction<ServiceStatus> value) {
      made.add(
          PartMeters.this.counter(
              "tempest.service." + name,
              "",
              description,
              Tags.of("service", service),
              known -> valueOf(known.service(service), value)));
    }
  }

  private List<Meter> ofCollection(String service, String collection) {
    Tags tags = Tags.of("service", service, "collection", collection);
    return List.of(
        gauge(
            "tempest.collection.entries",
            "",
            "entries of the collection",
            tags,
            known -> valueOf(known.collection(service, collection), CollectionStatus::entries)),
        gauge(
            "tempest.collection.size",
            "bytes",
            "what the entries take when encoded, estimated",
            tags,
            known ->
                valueOf(known.collection(service, collection), each -> orNaN(each.sizeBytes()))));
  }

  /** Not a number of what is not there any more. */
  private static <T> double valueOf(@Nullable T of, ToDoubleFunction<T> value) {
    return of == null ? Double.NaN : value.applyAsDouble(of);
  }

  private static double secondsOrNaN(OptionalLong millis) {
    return orNaN(millis) / MILLIS_PER_SECOND;
  }

  private static double orNaN(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : Double.NaN;
  }

  private Meter gauge(
      String name,
      String unit,
      String description,
      Tags tags,
      ToDoubleFunction<VitalsIndex> value) {
    return Gauge.builder(name, () -> node.read(value))
        .baseUnit(unit.isEmpty() ? null : unit)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** Weak is what it has of the node, which the gauges hold. */
  private Meter counter(
      String name,
      String unit,
      String description,
      Tags tags,
      ToDoubleFunction<VitalsIndex> value) {
    return FunctionCounter.builder(name, node, from -> from.read(value))
        .baseUnit(unit.isEmpty() ? null : unit)
        .description(description)
        .tags(tags)
        .register(registry);
  }
}
