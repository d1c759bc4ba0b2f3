package dev.tempest.simulator;

import dev.tempest.protocol.Event;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.Value;
import dev.tempest.state.versioned.Home;
import dev.tempest.state.versioned.Lifetime;
import dev.tempest.state.versioned.Terms;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Processes that write into collections by themselves, mostly under the same few keys. Every action
 * also leaves its tag behind and counts, so that the state tells which of them took effect.
 */
final class CollectionsWorkload implements Workload {
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");

  /** Those to whose keys, or as whose elements, writes put their tags. */
  private static final List<String> OF_TAGS =
      List.of("map", "timed", "decided", "bounded", "sorted", "list", "deque", "value");

  private static final int CHANGE_MAX_BYTES = 1 << 20;

  /** The collections of one process. */
  private static final class Collections implements Home {
    final VersionedState state = new VersionedState(this, Collections::terms);
    final Map<Long, Long> tags = state.map("tags", Long.class, Long.class);
    final Map<Long, Long> mergedBy = state.map("merged-by", Long.class, Long.class);
    final Counter counter = state.counter("counter");
    final Map<String, Long> map = state.map("map", String.class, Long.class);
    final Map<String, Long> decided = state.map("decided", String.class, Long.class);
    final Map<Long, Long> bounded = state.map("bounded", Long.class, Long.class);
    final Map<String, Long> merged = state.map("merged", String.class, Long.class);
    final Set<String> set = state.set("set", String.class);
    final NavigableMap<String, Long> sorted = state.sortedMap("sorted", String.class, Long.class);
    final NavigableSet<Long> ranks = state.sortedSet("ranks", Long.class);
    final List<Long> list = state.list("list", Long.class);
    final Deque<Long> deque = state.deque("deque", Integer.MAX_VALUE, Long.class);
    final Set<Long> offered = state.set("offered", Long.class);
    final Set<Long> polled = state.set("polled", Long.class);
    final Value<Long> value = state.value("value", Long.class);
    final Goods goods;
    private @Nullable VersionedAction action;

    Collections(Goods.Release<?> release) {
      goods = new Goods(state, release);
    }

    void putFor(Duration timeToLive, String key, long tag) {
      state.map("timed", String.class, Long.class).put(key, tag, timeToLive);
    }

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
    public @Nullable VersionedAction action() {
      return action;
    }

    @Override
    public <T extends @Nullable Object> T write(Function<VersionedAction, T> writes) {
      return writes.apply(Objects.requireNonNull(action()));
    }

    @Override
    public long awaitShown(Predicate<Version> holds, long timeoutNanos) {
      return 0;
    }
  }

  private final Map<ServiceInstance, Collections> instances = new LinkedHashMap<>();

  /** What each write added to the counter, by tag. */
  private final Map<Long, Long> amounts = new TreeMap<>();

  private final Goods.Release<?> older;
  private long lastTag;

  CollectionsWorkload() {
    this(Goods.Release.OLDER);
  }

  /** With this release as the older one. */
  CollectionsWorkload(Goods.Release<?> older) {
    this.older = older;
  }

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public List<Checker> checkers() {
    return List.of(new Convergence(), new Deterministic(), new WritesSurvive());
  }

  @Override
  public ServiceInstance instance(long replica) {
    return instance(new Collections(Goods.Release.NEWER));
  }

  @Override
  public ServiceInstance older(long replica) {
    return instance(new Collections(older));
  }

  private ServiceInstance instance(Collections collections) {
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
      ServiceInstance instance, ReplicaMachine machine, long clockNanos, Randomness random) {
    Collections collections = collections(instance);
    Version before = machine.latest();
    long tag = ++lastTag;
    VersionedAction action = collections.state.begin(before, machine.nowMillis(), tag);
    collections.action = action;
    act(collections, tag, random);
    Version after = action.commit();
    ByteWriter writer = new ByteWriter(CHANGE_MAX_BYTES);
    collections.state.writeChange(action.change(), writer);
    return new Written(tag, new Event.Written(clockNanos, writer.toBytes(), before, after));
  }

  private void act(Collections into, long tag, Randomness random) {
    String key = random.pick(KEYS);
    long amount = random.between(1, 9);
    amounts.put(tag, amount);
    into.tags.put(tag, amount);
    into.counter.add(amount);
    into.goods.act(tag, new Randomness(Randomness.mix(tag)));
    switch (random.below(9)) {
      case 0 -> into.map.put(key, tag);
      case 1 -> into.map.remove(key);
      case 2 -> into.putFor(Duration.ofMillis(random.between(50, 3_000)), key, tag);
      case 3 -> into.decided.putIfAbsent(key, tag);
      case 4 -> into.decided.remove(key);
      case 5 -> into.bounded.put(tag % 9, tag);
      case 6 -> into.value.set(tag);
      case 7 -> {
        into.merged.merge(key, amount, Merge.sum());
        into.mergedBy.put(tag, amount);
      }
      default -> toggle(into.set, key);
    }
    actInOrder(into, key, tag, random);
  }

  /** Something with the collections that have an order. */
  private static void actInOrder(Collections into, String key, long tag, Randomness random) {
    switch (random.below(9)) {
      case 0 -> into.sorted.put(key, tag);
      case 1 -> into.sorted.pollFirstEntry();
      case 2 -> into.sorted.tailMap(key).clear();
      case 3 -> toggle(into.ranks, tag % 7);
      case 4 -> into.list.add(random.between(0, into.list.size()), tag);
      case 5 -> {
        if (!into.list.isEmpty()) {
          into.list.remove(random.below(into.list.size()));
        }
      }
      case 6, 7 -> {
        into.deque.offer(tag);
        into.offered.add(tag);
      }
      default -> {
        Long polled = random.chance(50) ? into.deque.pollFirst() : into.deque.pollLast();
        if (polled != null) {
          into.polled.add(polled);
        }
      }
    }
  }

  private static <T> void toggle(Set<T> set, T element) {
    if (!set.remove(element)) {
      set.add(element);
    }
  }

  @Override
  public boolean tookEffect(ServiceInstance instance, Version version, long tag) {
    return numbers(instance, version, "tags").containsKey(tag);
  }

  @Override
  public Set<Long> tags(ServiceInstance instance, Version version) {
    Set<Long> tags = new TreeSet<>();
    for (Object tag : numbers(instance, version, "tags").keySet()) {
      tags.add((Long) tag);
    }
    return tags;
  }

  @Override
  public Map<String, Set<Long>> values(ServiceInstance instance, Version version) {
    Map<String, Object> contents = instance.contents(version);
    Map<String, Set<Long>> values = new TreeMap<>();
    for (String collection : OF_TAGS) {
      Set<Long> tags = new TreeSet<>();
      Collection<?> elements =
          switch (contents.get(collection)) {
            case Map<?, ?> map -> map.values();
            case Collection<?> some -> some;
            case Long tag -> List.of(tag);
            case null, default -> List.of();
          };
      elements.forEach(element -> tags.add((Long) element));
      values.put(collection, tags);
    }
    return values;
  }

  /**
   * Whether counters and merges are the sums of what the writes that took effect added, the queue
   * accounts for all that was put into it, and what not all releases know is as it was written.
   */
  @Override
  public boolean addsUp(ServiceInstance instance, Version version) {
    return countsAddUp(instance, version)
        && sum(instance, version, "merged-by").equals(sum(instance, version, "merged"))
        && queueAddsUp(instance.contents(version), numbers(instance, version, "tags").keySet())
        && Goods.isWhole(instance.contents(version), tags(instance, version));
  }

  @Override
  public boolean countsAddUp(ServiceInstance instance, Version version) {
    return sum(instance, version, "tags").equals(instance.contents(version).get("counter"));
  }

  @Override
  public boolean countsAtMostOnce(ServiceInstance instance, Version version, Set<Long> alone) {
    long more = alone.stream().mapToLong(tag -> amounts.getOrDefault(tag, 0L)).sum();
    return instance.contents(version).get("counter") instanceof Long count
        && count <= sum(instance, version, "tags") + more;
  }

  /**
   * Whatever was put into the queue is in there, once, or was taken out. What was taken out may
   * have been put in by a write that was lost with its process, after another had seen it.
   */
  private static boolean queueAddsUp(Map<String, Object> contents, Set<?> tookEffect) {
    Collection<?> offered = elements(contents, "offered");
    Collection<?> queue = elements(contents, "deque");
    Set<Object> queued = new TreeSet<>(queue);
    Set<Object> polled = new TreeSet<>(elements(contents, "polled"));
    polled.removeIf(element -> !tookEffect.contains(element));
    boolean once = queued.size() == queue.size() && java.util.Collections.disjoint(queued, polled);
    queued.addAll(polled);
    return once && queued.equals(new TreeSet<>(offered));
  }

  private static Collection<?> elements(Map<String, Object> contents, String name) {
    return contents.get(name) instanceof Collection<?> elements ? elements : List.of();
  }

  private static Long sum(ServiceInstance instance, Version version, String map) {
    long sum = 0;
    for (Object value : numbers(instance, version, map).values()) {
      sum += value instanceof Long number ? number : 0;
    }
    return sum;
  }

  private static Map<?, ?> numbers(ServiceInstance instance, Version version, String map) {
    return instance.contents(version).get(map) instanceof Map<?, ?> numbers
        ? numbers
        : new TreeMap<>();
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
  public boolean isPlausible(Call read, Answer answer) {
    return true;
  }

  @Override
  public String describe(Call call) {
    return "method " + call.method();
  }
}
