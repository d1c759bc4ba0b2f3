package dev.tempest.simulator;

import dev.tempest.protocol.Event;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Action;
import dev.tempest.state.Counter;
import dev.tempest.state.Home;
import dev.tempest.state.Lifetime;
import dev.tempest.state.Merge;
import dev.tempest.state.State;
import dev.tempest.state.Terms;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Version;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Call;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Processes that write into collections by themselves, mostly under the same few keys. Every action
 * also leaves its tag behind and counts, so that the state tells which of them took effect.
 */
final class CollectionsWorkload implements Workload {
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");
  private static final int CHANGE_MAX_BYTES = 1 << 20;

  /** The collections of one process. */
  private static final class Collections implements Home {
    final State state = new State(this, Collections::terms);
    final Map<Long, Long> tags = state.map("tags", Long.class, Long.class);
    final Map<Long, Long> mergedBy = state.map("merged-by", Long.class, Long.class);
    final Counter counter = state.counter("counter");
    final TimedMap<String, Long> map = state.map("map", String.class, Long.class);
    final TimedMap<String, Long> timed = state.map("timed", String.class, Long.class);
    final TimedMap<String, Long> decided = state.map("decided", String.class, Long.class);
    final TimedMap<Long, Long> bounded = state.map("bounded", Long.class, Long.class);
    final TimedMap<String, Long> merged = state.map("merged", String.class, Long.class);
    final Set<String> set = state.set("set", String.class);

    private static Terms terms(String name) {
      return switch (name) {
        case "decided" -> new Terms(Lifetime.UNLIMITED, true);
        case "bounded" -> new Terms(new Lifetime(0, 2_000, 5), false);
        default -> Terms.DEFAULT;
      };
    }

    @Override
    public Version published() {
      return state.emptyVersion();
    }

    @Override
    public long nowMillis() {
      return 0;
    }

    @Override
    public boolean isWriting() {
      return true;
    }

    @Override
    public void enter() {}

    @Override
    public void leave() {}

    @Override
    public boolean awaitNewer(Version seen, long timeoutNanos) {
      return false;
    }
  }

  private final Map<ServiceInstance, Collections> instances = new IdentityHashMap<>();
  private long lastTag;

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public List<Checker> checkers() {
    return List.of(new Convergence(), new WritesSurvive());
  }

  @Override
  public ServiceInstance instance(long replica) {
    Collections collections = new Collections();
    ServiceInstance instance = ServiceInstance.ofState(collections.state);
    instances.put(instance, collections);
    return instance;
  }

  @Override
  public ServiceInstance reference() {
    return instance(0);
  }

  @Override
  public Written write(
      ServiceInstance instance, Version before, long clockNanos, Randomness random) {
    Collections collections = collections(instance);
    long tag = ++lastTag;
    Action action = collections.state.begin(before, clockNanos / 1_000_000, tag);
    act(collections, tag, random);
    Version after = action.commit();
    ByteWriter writer = new ByteWriter(CHANGE_MAX_BYTES);
    collections.state.writeChange(action.change(), writer);
    return new Written(tag, new Event.Written(clockNanos, writer.toBytes(), before, after));
  }

  private static void act(Collections into, long tag, Randomness random) {
    String key = random.pick(KEYS);
    long amount = random.between(1, 9);
    into.tags.put(tag, amount);
    into.counter.add(amount);
    switch (random.below(12)) {
      case 0, 1, 2 -> into.map.put(key, tag);
      case 3 -> into.map.remove(key);
      case 4 -> into.set.add(key);
      case 5 -> into.set.remove(key);
      case 6, 7 -> into.timed.put(key, tag, Duration.ofMillis(random.between(50, 3_000)));
      case 8 -> into.decided.putIfAbsent(key, tag);
      case 9 -> into.decided.remove(key);
      case 10 -> into.bounded.put(tag % 9, tag);
      default -> {
        into.merged.merge(key, amount, Merge.sum());
        into.mergedBy.put(tag, amount);
      }
    }
  }

  @Override
  public boolean tookEffect(ServiceInstance instance, Version version, long tag) {
    return numbers(instance, version, "tags").containsKey(tag);
  }

  /** Whether counters and merges are the sums of what the writes that took effect added. */
  @Override
  public boolean addsUp(ServiceInstance instance, Version version) {
    Object counter = instance.contents(version).get("counter");
    return sum(instance, version, "tags").equals(counter)
        && sum(instance, version, "merged-by").equals(sum(instance, version, "merged"));
  }

  private static Long sum(ServiceInstance instance, Version version, String map) {
    long sum = 0;
    for (Object value : numbers(instance, version, map).values()) {
      sum += value instanceof Long number ? number : 0;
    }
    return sum;
  }

  private static Map<?, ?> numbers(ServiceInstance instance, Version version, String map) {
    return instance.contents(version).get(map) instanceof Map<?, ?> numbers ? numbers : Map.of();
  }

  @Override
  public long order(ServiceInstance instance, Version version) {
    long order = 0;
    for (Object contents : instance.contents(version).values()) {
      Iterable<?> elements =
          switch (contents) {
            case Map<?, ?> map -> map.keySet();
            case Iterable<?> iterable -> iterable;
            default -> List.of();
          };
      for (Object element : elements) {
        order = Randomness.mix(order ^ element.hashCode());
      }
    }
    return order;
  }

  private Collections collections(ServiceInstance instance) {
    Collections collections = instances.get(instance);
    if (collections == null) {
      throw new IllegalArgumentException("an instance of another workload");
    }
    return collections;
  }

  @Override
  public Invocation next(Randomness random) {
    throw new IllegalStateException("nothing can be asked of collections");
  }

  @Override
  public Invocation probe() {
    throw new IllegalStateException("nothing can be asked of collections");
  }

  @Override
  public Mark mark(ServiceInstance instance, Version version, long tag) {
    return new Mark(0, 0);
  }

  @Override
  public boolean isPlausible(Call read, Bytes result) {
    return true;
  }

  @Override
  public String describe(Call call) {
    return "method " + call.method();
  }
}
