package dev.tempest.protocol.order.time;

import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.State;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import dev.tempest.state.versioned.Home;
import dev.tempest.state.versioned.Lifetime;
import dev.tempest.state.versioned.Terms;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@link Acts} over every kind of collection. */
final class ActsService implements Acts {
  private static final Merge<Integer> SUM = Merge.of("added", (left, right) -> left + right);

  private final TimedMap<Integer, Integer> map;
  private final TimedMap<Integer, Integer> bounded;
  private final TimedMap<Integer, Integer> decided;
  private final Counter counter;
  private final Counter tallied;
  private final Map<Integer, Integer> tallies;
  private final Set<Integer> set;
  private final NavigableMap<Integer, Integer> sorted;
  private final List<Integer> list;
  private final Deque<Integer> deque;
  private final Value<Integer> value;
  private final State state;

  ActsService(State state) {
    this.state = state;
    state.register(SUM);
    map = state.map("map", Integer.class, Integer.class);
    bounded = state.map("bounded", Integer.class, Integer.class);
    decided = state.map("decided", Integer.class, Integer.class);
    counter = state.counter("counter");
    tallied = state.counter("tallied");
    tallies = state.map("tallies", Integer.class, Integer.class);
    set = state.set("set", Integer.class);
    sorted = state.sortedMap("sorted", Integer.class, Integer.class);
    list = state.list("list", Integer.class);
    deque = state.deque("deque", 1_000_000, Integer.class);
    value = state.value("value", Integer.class);
  }

  /** A home in which one thread executes the actions that it is given. */
  static final class NodeHome implements Home {
    /** A state as nodes have it: of one map only some entries stay, another decides everywhere. */
    final VersionedState state = new VersionedState(this, NodeHome::terms);

    @Nullable VersionedAction action;

    private static Terms terms(String name) {
      return switch (name) {
        case "bounded" -> new Terms(new Lifetime(0, 300, 4), false);
        case "decided" -> new Terms(Lifetime.UNLIMITED, true);
        default -> Terms.DEFAULT;
      };
    }

    @Override
    public Version published() {
      throw new IllegalStateException("nobody reads outside of actions");
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

  @Override
  public String act(long seed, int keys) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder seen = new StringBuilder();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      int key = random.nextInt(keys);
      seen.append(random.nextInt(3) == 0 ? ordered(random, key) : keyed(random, key)).append(' ');
    }
    if (random.nextInt(20) == 0) {
      throw new IllegalStateException("seen " + seen);
    }
    return seen.toString();
  }

  private Object keyed(SplittableRandom random, int key) {
    int number = random.nextInt(100);
    return switch (random.nextInt(13)) {
      case 0 -> String.valueOf(map.put(key, number));
      case 1 -> String.valueOf(map.remove(key));
      case 2 -> String.valueOf(map.get(key)) + map.containsKey(key + 1);
      case 3 -> String.valueOf(map.merge(key, number, SUM));
      case 4 -> String.valueOf(map.compute(key, (k, v) -> v == null ? number : null));
      case 5 -> String.valueOf(map.put(key, number, Duration.ofMillis(random.nextInt(50, 600))));
      case 6 -> String.valueOf(bounded.put(key, number)) + bounded.get(key + 1);
      case 7 -> String.valueOf(decided.putIfAbsent(key, number)) + decided.remove(key, number);
      case 8 -> String.valueOf(decided.replace(key, number, number + 1));
      case 9 -> set.add(key) || set.remove(key);
      case 10 -> key % 4 == 0 ? String.valueOf(value.getAndSet(number)) : "none";
      case 11 -> key % 4 == 0 ? counter.add(number) : "none";
      default -> random.nextInt(20) == 0 ? map.size() + map.keySet().toString() : "none";
    };
  }

  private Object ordered(SplittableRandom random, int key) {
    int number = random.nextInt(100);
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> String.valueOf(sorted.put(key, number));
      case 3 -> String.valueOf(sorted.headMap(key));
      case 4 -> String.valueOf(sorted.pollFirstEntry());
      case 5 -> {
        list.add(list.isEmpty() ? 0 : number % list.size(), number);
        yield list.size() > 6 ? list.remove(/* index */ number % list.size()) : list.size();
      }
      case 6 -> deque.offer(number);
      default -> String.valueOf(deque.poll()) + state.action().now();
    };
  }

  @Override
  public String put(int key, int value) {
    return String.valueOf(map.put(key, value));
  }

  @Override
  public int tally(int key, int amount) {
    tallied.add(amount);
    return tallies.merge(key, amount, Integer::sum);
  }

  @Override
  public int count() {
    return map.size();
  }
}
