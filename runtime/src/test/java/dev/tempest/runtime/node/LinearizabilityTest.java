package dev.tempest.runtime.node;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.state.Counter;
import dev.tempest.state.State;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingDeque;
import java.util.function.Function;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Within one process the collections of a node are linearizable, whatever its threads do: between
 * processes they are eventual.
 */
final class LinearizabilityTest {
  /** Puts, conditional and not, reads, and iteration. */
  @Param(name = "key", gen = IntGen.class, conf = "1:3")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  @Param(name = "before", gen = IntGen.class, conf = "1:3")
  @Param(name = "after", gen = IntGen.class, conf = "1:3")
  public static class MapOperations {
    private final Map<Integer, Integer> map =
        collection(state -> state.map("m", Integer.class, Integer.class));

    @Operation
    public @Nullable Integer get(int key) {
      return map.get(key);
    }

    @Operation
    public @Nullable Integer put(int key, int value) {
      return map.put(key, value);
    }

    @Operation
    public @Nullable Integer putIfAbsent(int key, int value) {
      return map.putIfAbsent(key, value);
    }

    @Operation
    public boolean replace(int key, int before, int after) {
      return map.replace(key, before, after);
    }

    @Operation
    public @Nullable Integer merge(int key, int value) {
      return map.merge(key, value, Integer::sum);
    }

    @Operation
    public @Nullable Integer computeIfAbsent(int key, int value) {
      return map.computeIfAbsent(key, absent -> value);
    }

    @Operation
    public @Nullable Integer remove(int key) {
      return map.remove(key);
    }

    @Operation
    public String everything() {
      return map.toString(); // One version, not a mixture.
    }
  }

  /** Members come and go. */
  @Param(name = "element", gen = IntGen.class, conf = "1:3")
  public static class SetOperations {
    private final Set<Integer> set = collection(state -> state.set("s", Integer.class));

    @Operation
    public boolean add(int element) {
      return set.add(element);
    }

    @Operation
    public boolean remove(int element) {
      return set.remove(element);
    }

    @Operation
    public boolean contains(int element) {
      return set.contains(element);
    }

    @Operation
    public int size() {
      return set.size();
    }
  }

  /** Both ends. */
  @Param(name = "element", gen = IntGen.class, conf = "1:3")
  public static class DequeOperations {
    private final BlockingDeque<Integer> deque =
        collection(state -> state.deque("d", Integer.MAX_VALUE, Integer.class));

    @Operation
    public void addFirst(int element) {
      deque.addFirst(element);
    }

    @Operation
    public void addLast(int element) {
      deque.addLast(element);
    }

    @Operation
    public @Nullable Integer pollFirst() {
      return deque.pollFirst();
    }

    @Operation
    public @Nullable Integer pollLast() {
      return deque.pollLast();
    }

    @Operation
    public @Nullable Integer peekFirst() {
      return deque.peekFirst();
    }

    @Operation
    public int size() {
      return deque.size();
    }
  }

  /** Adds and reads. */
  @Param(name = "delta", gen = IntGen.class, conf = "1:3")
  public static class CounterOperations {
    private final Counter counter = collection(state -> state.counter("c"));

    @Operation
    public long add(int delta) {
      return counter.add(delta);
    }

    @Operation
    public long get() {
      return counter.get();
    }
  }

  @Test
  void map() {
    check(MapOperations.class);
  }

  @Test
  void set() {
    check(SetOperations.class);
  }

  @Test
  void deque() {
    check(DequeOperations.class);
  }

  @Test
  void counter() {
    check(CounterOperations.class);
  }

  private static void check(Class<?> operations) {
    new StressOptions()
        .iterations(3)
        .invocationsPerIteration(150)
        .threads(2)
        .actorsPerThread(3)
        .check(operations);
  }

  /** A collection of a node that is alone. */
  private static <T> T collection(Function<State, T> declaration) {
    MonotonicClock clock = MonotonicClock.ofProcess();
    ReplicatedState state = new ReplicatedState(clock, NodeConfig.defaults(), () -> {}, () -> {});
    var view = new TreeMap<Long, Address>();
    view.put(1L, new Address() {});
    state.start(
        its -> Orders.replica(Order.EVENTUAL, Placement.of(1, 1, view), its, 1, clock.nowNanos()));
    return state.declare(declaration);
  }
}
