package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.OverloadedException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.transport.MonotonicClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collections between the threads that write and the loop, which is the thread of each test. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedStateTest {
  private final MonotonicClock clock = MonotonicClock.ofProcess();
  private final NodeConfig patient = NodeConfig.builder().deadline(Duration.ofMinutes(5)).build();
  private final ReplicatedState state = new ReplicatedState(clock, patient, () -> {}, () -> {});
  private volatile boolean full;

  private void start() {
    start(state);
  }

  private void start(ReplicatedState collections) {
    var view = new TreeMap<Long, Address>();
    view.put(1L, new Address() {});
    Placement placement = Placement.of(1, 1, view);
    collections.start(
        its -> filling(Orders.replica(Order.EVENTUAL, placement, its, 1, clock.nowNanos())));
  }

  private void fill(boolean isFull) {
    full = isFull;
    state.step(new Event.Tick(clock.nowNanos()));
  }

  @Test
  void nobodyWaitsForRoomBehindAnotherOne() throws InterruptedException {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    fill(true);
    Thread first = new Thread(() -> map.put("a", 1));
    first.start();
    while (first.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    Thread second =
        new Thread(() -> {
          try {
            map.put("b", 2);
          } catch (OverloadedException noRoom) {
            refused.complete(noRoom);
          }
        });
    second.start();
    second.interrupt();
    refused.join();

    fill(false);
    first.join();
    assertThat(map).containsOnlyKeys("a");
  }

  @Test
  void whoWaitedForAnotherWriterLooksForRoomAgain() throws InterruptedException {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread first =
        new Thread(() ->
            state.batch(
                1,
                () -> {
                  isWriting.countDown();
                  return map.put("a", awaited(end));
                }));
    first.start();
    isWriting.await();
    Thread second = new Thread(() -> map.put("b", 2));
    second.start();
    while (second.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    fill(true);
    end.countDown();
    first.join();
    second.join(200);
    assertThat(map).containsOnlyKeys("a");

    fill(false);
    second.join();
    assertThat(map).containsOnlyKeys("a", "b");
  }

  /** As by a parallel stream within it. */
  @Test
  void aBatchThatWaitsForAnotherWriterEnds() {
    NodeConfig impatient = NodeConfig.builder().deadline(Duration.ofMillis(200)).build();
    var collections = new ReplicatedState(clock, impatient, () -> {}, () -> {});
    start(collections);
    Map<String, Integer> map =
        collections.declare(its -> its.map("m", String.class, Integer.class));
    CompletableFuture<Integer> inBatch = new CompletableFuture<>();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() ->
            collections.batch(
                1,
                () -> {
                  map.put("a", 1);
                  return inBatch.completeAsync(() -> map.put("b", 2)).join();
                }))
        .withCauseInstanceOf(OverloadedException.class)
        .withMessageContaining("another thread stays in its batch");
    assertThat(map).isEmpty();
    map.put("c", 3);
    assertThat(map).containsOnlyKeys("c");
  }

  /** Many declare where they first use a collection. */
  @Test
  void aBatchThatWaitsForADeclarationEnds() {
    NodeConfig impatient = NodeConfig.builder().deadline(Duration.ofMillis(200)).build();
    var collections = new ReplicatedState(clock, impatient, () -> {}, () -> {});
    start(collections);
    Map<String, Integer> map =
        collections.declare(its -> its.map("m", String.class, Integer.class));
    CompletableFuture<Map<String, Integer>> inBatch = new CompletableFuture<>();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() ->
            collections.batch(
                1,
                () -> {
                  map.put("a", 1);
                  return inBatch.completeAsync(() -> lazily(collections)).join();
                }))
        .withCauseInstanceOf(OverloadedException.class)
        .withMessageContaining("another thread stays in its batch");
    assertThat(map).isEmpty();
    lazily(collections).put("c", 3);
    assertThat(lazily(collections)).containsOnlyKeys("c");
  }

  private static Map<String, Integer> lazily(ReplicatedState collections) {
    return collections.declare(its -> its.map("lazily", String.class, Integer.class));
  }

  /** Whatever is made of it: it says what to do. */
  @Test
  void aBatchWithinAnActionSaysThatItUsesTheOtherConsistency() throws InterruptedException {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    assertThatExceptionOfType(OtherConsistencyException.class)
        .isThrownBy(() ->
            map.compute(
                "a",
                (key, before) ->
                    state.batchOfEither(
                        1,
                        () -> {
                          state.fail();
                          return 0;
                        })))
        .withStackTraceContaining("aBatchWithinAnActionSays");
    assertThat(map).isEmpty();
  }

  /** A batch on linearizable collections, and one that reads, need no room here. */
  @Test
  void aBatchWaitsForRoomOnlyIfItWrites() throws InterruptedException {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    map.put("a", 1);
    fill(true);
    assertThat(state.batchOfEither(1, () -> map.get("a"))).isEqualTo(1);
    assertThatExceptionOfType(OtherWayException.Linearizable.class)
        .isThrownBy(() ->
            state.batchOfEither(
                1,
                () -> {
                  state.fail();
                  return 0;
                }));

    Thread writer = new Thread(() -> state.batchOfEither(1, () -> wrapping(() -> map.put("b", 2))));
    writer.start();
    while (writer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(map).containsOnlyKeys("a");
    fill(false);
    writer.join();
    assertThat(map).containsOnlyKeys("a", "b");
  }

  private static Integer wrapping(Supplier<Integer> writes) {
    try {
      return Objects.requireNonNullElse(writes.get(), 0);
    } catch (RuntimeException whatever) {
      throw new IllegalArgumentException(whatever);
    }
  }

  @Test
  void theLoopWaitsForNothingThatOnlyItBrings() {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    BlockingDeque<String> deque = state.declare(its -> its.deque("d", 8, String.class));
    fill(true);

    assertThatExceptionOfType(OverloadedException.class).isThrownBy(() -> map.put("a", 1));
    assertThatIllegalStateException().isThrownBy(deque::take).withMessageContaining("must not");
  }

  /** What a read used is written by the loop, which never waits for a writer. */
  @Test
  void noReaderWaitsUntilItsUseIsWritten() throws InterruptedException {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread writer =
        new Thread(() ->
            state.batch(
                1,
                () -> {
                  isWriting.countDown();
                  return map.put("a", awaited(end));
                }));
    writer.start();
    isWriting.await();
    state.later(() -> map.put("used", 1));
    state.rest(Long.MAX_VALUE);
    assertThat(map).isEmpty();
    end.countDown();
    writer.join();
    state.rest(Long.MAX_VALUE);
    assertThat(map).containsOnlyKeys("a", "used");

    state.later(() -> {
      map.put("late", 1);
      state.close(); // As another thread may meanwhile.
    });
    state.rest(Long.MAX_VALUE);
    state.later(() -> map.put("later", 1));
    state.rest(Long.MAX_VALUE);
    assertThat(map).containsOnlyKeys("a", "used");
  }

  /** A change has a largest size, and readers may use any number of entries until it is written. */
  @Test
  void ofManyUsesSomeAreWrittenAtATime() {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    int uses = 20_000;
    for (int i = 0; i < uses; i++) {
      String key = "key".repeat(300) + i;
      state.later(() -> map.put(key, 1));
    }
    state.rest(Long.MAX_VALUE);
    assertThat(map).isNotEmpty().hasSizeLessThan(1_000);
    for (int i = 0; i < uses; i++) {
      state.rest(Long.MAX_VALUE);
    }
    assertThat(map).hasSize(uses);

    state.later(() -> map.put("k".repeat(9 << 20), 1));
    state.later(() -> map.put("l".repeat(9 << 20), 1));
    state.rest(Long.MAX_VALUE);
    state.later(() -> map.put("next", 1));
    state.rest(Long.MAX_VALUE);
    assertThat(map).hasSize(uses + 1).containsKey("next");
  }

  private static int awaited(CountDownLatch latch) {
    try {
      latch.await();
      return 1;
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void whatIsWrittenWhileTheNodeClosesDoesNotCount() {
    start();
    Map<String, Integer> map = state.declare(its -> its.map("m", String.class, Integer.class));
    map.put("a", 1);
    map.put("b", 2);

    assertThatIllegalStateException()
        .isThrownBy(() ->
            state.batch(
                1,
                () -> {
                  map.put("c", 3);
                  state.close(); // As another thread may.
                  return 3;
                }));
    assertThat(map).containsOnlyKeys("a", "b");
  }

  /** A replica that is full when the test says so. */
  private Replica filling(Replica real) {
    return (Replica)
        Proxy.newProxyInstance(
            Replica.class.getClassLoader(),
            new Class<?>[] {Replica.class},
            (proxy, method, arguments) ->
                method.getName().equals("isFull") ? full : method.invoke(real, arguments));
  }
}
