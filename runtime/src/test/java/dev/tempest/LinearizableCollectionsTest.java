package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.FreePorts;
import dev.tempest.state.Counter;
import dev.tempest.state.TimedMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three nodes in this process, over loopback, with collections that a majority agrees on. */
class LinearizableCollectionsTest {
  private static final int THREADS = 4;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Node> nodes = new ArrayList<>();
  private Reads reads = Reads.LINEARIZABLE;

  private void join(int count, Duration deadline) throws Exception {
    List<String> members = FreePorts.find(count).stream().map(port -> "127.0.0.1:" + port).toList();
    List<Future<Node>> joining = new ArrayList<>();
    for (String member : members) {
      CollectionConfig agreed =
          CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build();
      NodeConfig config =
          NodeConfig.builder()
              .listen(member)
              .members(members.toArray(String[]::new))
              .multicastPort(0)
              .deadline(deadline)
              .reads(reads)
              .collection("*", agreed)
              .collection("eventual", CollectionConfig.defaults())
              .shutdownHook(false)
              .build();
      joining.add(threads.submit(() -> Tempest.join(config)));
    }
    for (Future<Node> node : joining) {
      nodes.add(node.get());
    }
  }

  private void join() throws Exception {
    join(3, Duration.ofSeconds(20));
  }

  @AfterEach
  void close() {
    nodes.forEach(Node::close);
    threads.shutdownNow();
  }

  private static TimedMap<String, Long> map(Node node) {
    return node.map("orders", String.class, Long.class);
  }

  /** Lets threads of all nodes do the same at once. */
  private void atOnce(NodeTask task) throws Exception {
    List<Future<Void>> all = new ArrayList<>();
    for (Node node : nodes) {
      for (int i = 0; i < THREADS; i++) {
        Callable<Void> body =
            () -> {
              task.run(node);
              return null;
            };
        all.add(threads.submit(body));
      }
    }
    for (Future<Void> each : all) {
      each.get();
    }
  }

  private interface NodeTask {
    void run(Node node) throws Exception;
  }

  @Test
  void anyFunctionIsExecutedAsIfAloneWhereverItRuns() throws Exception {
    join();
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    int each = 40;
    atOnce(node -> {
      for (int i = 0; i < each; i++) {
        Long sum = map(node).compute("a", (key, before) -> before == null ? 1 : before + 1);
        assertThat(seen.add(sum)).isTrue();
        map(node).merge("b", 1L, Long::sum);
      }
    });
    long all = (long) each * THREADS * nodes.size();
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, all).boxed().toList());
    for (Node node : nodes) {
      assertThat(map(node)).containsExactlyInAnyOrderEntriesOf(Map.of("a", all, "b", all));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LINEARIZABLE", "LEASE", "LOCAL"})
  void whatWasWrittenIsReadEverywhereAtOnce(Reads byAsking) throws Exception {
    reads = byAsking;
    join();
    for (long i = 1; i <= 200; i++) {
      Node writer = nodes.get((int) i % 3);
      Node reader = nodes.get((int) (i / 3) % 3);
      assertThat(map(writer).put("a", i)).isEqualTo(i == 1 ? null : i - 1);
      assertThat(map(reader).get("a")).isEqualTo(i);
    }
  }

  @Test
  void putIfAbsentIsWonByOneAndAnElementIsHandedOutOnce() throws Exception {
    join();
    nodes.getFirst().deque("jobs", Long.class).addAll(LongStream.range(0, 60).boxed().toList());
    Queue<Long> won = new ConcurrentLinkedQueue<>();
    Queue<Long> taken = new ConcurrentLinkedQueue<>();
    atOnce(node -> {
      BlockingDeque<Long> jobs = node.deque("jobs", Long.class);
      for (long i = 0; i < 5; i++) {
        if (map(node).putIfAbsent("k" + i, 1L) == null) {
          won.add(i);
        }
        taken.add(jobs.take());
      }
    });
    assertThat(won).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
    assertThat(taken).containsExactlyInAnyOrderElementsOf(LongStream.range(0, 60).boxed().toList());
  }

  /** Even where it has to be executed again, because another node was first. */
  @Test
  void whatIsDrainedIsHandedOutOnce() throws Exception {
    join();
    List<Long> all = LongStream.range(0, 240).boxed().toList();
    nodes.getFirst().deque("jobs", Long.class).addAll(all);
    Queue<Long> taken = new ConcurrentLinkedQueue<>();
    atOnce(node -> {
      BlockingDeque<Long> jobs = node.deque("jobs", Long.class);
      List<Long> own = new ArrayList<>();
      int drained = 0;
      for (int i = 0; i < 10; i++) {
        drained += jobs.drainTo(own, 2);
      }
      assertThat(own).hasSize(drained);
      taken.addAll(own);
    });
    assertThat(taken).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void whoTakesOrPutsWaitsForAnotherNode() throws Exception {
    join();
    BlockingDeque<Long> jobs = nodes.getFirst().deque("jobs", Long.class);
    Future<Long> taken = waiting(jobs::take);
    nodes.getLast().deque("jobs", Long.class).add(7L);
    assertThat(taken.get(10, TimeUnit.SECONDS)).isEqualTo(7);
    assertThat(jobs.poll(50, TimeUnit.MILLISECONDS)).isNull();

    BlockingDeque<Long> bounded = nodes.get(0).boundedDeque("bounded", 1, Long.class);
    bounded.put(1L);
    assertThat(bounded.offer(2L, 50, TimeUnit.MILLISECONDS)).isFalse();
    Future<Long> put =
        waiting(() -> {
          bounded.put(2L);
          return 2L;
        });
    BlockingDeque<Long> there = nodes.get(1).boundedDeque("bounded", 1, Long.class);
    assertThat(there.take()).isEqualTo(1);
    put.get(10, TimeUnit.SECONDS);
    assertThat(there).containsExactly(2L);
  }

  @Test
  void whoTakesStopsWaitingByAnInterruptAndByTheEndOfTheNode() throws Exception {
    join(1, Duration.ofSeconds(20));
    BlockingDeque<Long> jobs = nodes.getFirst().deque("jobs", Long.class);
    CompletableFuture<Thread> taker = new CompletableFuture<>();
    Future<Long> interrupted =
        waiting(() -> {
          taker.complete(Thread.currentThread());
          return jobs.take();
        });
    taker.get().interrupt();
    assertThatThrownBy(() -> interrupted.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);

    Future<Long> ended = waiting(jobs::take);
    nodes.getFirst().close();
    assertThatThrownBy(() -> ended.get(10, TimeUnit.SECONDS)).hasMessageContaining("closed");
  }

  /** A call that has begun to wait. */
  private static Future<Long> waiting(Callable<Long> call) {
    FutureTask<Long> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "waits");
    thread.start();
    eventually("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
    return task;
  }

  /** Money is moved, and none is made or lost, whenever somebody looks. */
  @Test
  void batchesAreSerializable() throws Exception {
    join();
    Node first = nodes.getFirst();
    first.batch(() -> {
      map(first).put("a", 10_000L);
      map(first).put("b", 10_000L);
    });
    atOnce(node -> {
      TimedMap<String, Long> accounts = map(node);
      for (int i = 0; i < 20; i++) {
        boolean moved =
            node.batch(() -> {
              if (accounts.getOrDefault("a", 0L) < 10) {
                return false;
              }
              accounts.compute("a", (key, money) -> money - 10);
              accounts.compute("b", (key, money) -> money + 10);
              return true;
            });
        assertThat(moved).isEqualTo(true);
        assertThat(
                node.<Long>batch(
                    () -> accounts.getOrDefault("a", 0L) + accounts.getOrDefault("b", 0L)))
            .isEqualTo(20_000);
        assertThat(accounts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(20_000);
        if (i % 2 == 0) {
          node.batch(() -> {
            accounts.compute("a", (key, money) -> money + 10);
            accounts.compute("b", (key, money) -> money - 10);
          });
        }
      }
    });
    assertThat(map(first))
        .isEqualTo(Map.of("a", 10_000L - 10 * 10 * 12, "b", 10_000L + 10 * 10 * 12));
  }

  @Test
  void whatThrowsWritesNothing() throws Exception {
    join(1, Duration.ofSeconds(20));
    Node node = nodes.getFirst();
    assertThatThrownBy(() ->
            node.batch(() -> {
              map(node).put("a", 1L);
              throw new IllegalArgumentException("no");
            }))
        .hasMessage("no");
    assertThatThrownBy(() ->
            map(node)
                .compute(
                    "a",
                    (key, before) -> {
                      node.value("other", String.class).set("written");
                      throw new IllegalArgumentException("neither");
                    }))
        .hasMessage("neither");
    assertThat(map(node)).isEmpty();
    assertThat(node.value("other", String.class).get()).isNull();
  }

  /** As by a parallel stream within it. */
  @Test
  void aBatchThatWaitsForAnotherWriterEnds() throws Exception {
    join(1, Duration.ofMillis(500));
    Node node = nodes.getFirst();
    Map<String, Long> orders = map(node);
    orders.put("before", 0L);
    assertThatThrownBy(() ->
            node.batch(() -> {
              orders.put("a", 1L);
              CompletableFuture.runAsync(() -> orders.put("b", 2L), threads).join();
            }))
        .isInstanceOf(OverloadedException.class);
    assertThat(orders).containsOnlyKeys("before");
  }

  /** As those of the JDK do. */
  @Test
  void operationsGoOnWhereTheThreadIsInterrupted() throws Exception {
    join(1, Duration.ofSeconds(20));
    Thread.currentThread().interrupt();
    map(nodes.getFirst()).put("a", 1L);
    assertThat(map(nodes.getFirst()).get("a")).isEqualTo(1);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Two of three are a majority; one is none, and says so. */
  @Test
  void aMajorityGoesOnAndWhoIsAloneIsToldSo() throws Exception {
    join(3, Duration.ofSeconds(2));
    TimedMap<String, Long> last = map(nodes.getFirst());
    last.put("a", 1L);
    nodes.removeLast().close();
    last.put("a", 2L);
    assertThat(map(nodes.get(1)).get("a")).isEqualTo(2);
    nodes.getLast().close();
    nodes.removeLast();
    last.put("a", 3L); // Who says goodbye is no member any more.
    assertThat(last.get("a")).isEqualTo(3);
    nodes.removeLast().close();
    assertThatThrownBy(() -> last.put("a", 4L)).hasMessageContaining("closed");
    assertThatThrownBy(() -> last.get("a")).hasMessageContaining("closed");
  }

  @Test
  void countersListsAndValuesAreLinearizableToo() throws Exception {
    join();
    atOnce(node -> {
      Counter counter = node.counter("count");
      List<String> list = node.list("list", String.class);
      for (int i = 0; i < 10; i++) {
        counter.add(1);
        list.add(node.members().getFirst() + i);
        node.value("last", String.class).set(node.members().getFirst());
      }
    });
    Node any = nodes.get(1);
    assertThat(any.counter("count").get()).isEqualTo(10L * THREADS * 3);
    assertThat(any.list("list", String.class)).hasSize(10 * THREADS * 3);
    assertThat(any.value("last", String.class).get()).isNotNull();
    List<String> list = any.list("list", String.class);
    assertThat(nodes.get(2).list("list", String.class)).isEqualTo(List.copyOf(list));
  }

  @Test
  void entriesExpireAndListenersHear() throws Exception {
    join();
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    nodes.get(2).listen(map(nodes.get(2)), (key, before, after) -> heard.add(key + after));
    map(nodes.get(0)).put("a", 7L, Duration.ofMillis(300));
    Eventually.eventually("it is told", () -> heard.contains("a7"));
    Eventually.eventually("it expires", () -> map(nodes.get(1)).get("a") == null);
    Eventually.eventually("that is told", () -> heard.contains("anull"));
  }

  @Test
  void actionsAreOfOneConsistency() throws Exception {
    join(1, Duration.ofSeconds(20));
    Node node = nodes.getFirst();
    TimedMap<String, Long> eventual = node.map("eventual", String.class, Long.class);
    eventual.put("e", 1L);
    node.batch(() -> {
      map(node).put("a", 1L);
      assertThat(eventual.get("e")).isEqualTo(1);
      assertThat(node.action().now()).isNotNull();
    });
    assertThatThrownBy(() ->
            node.batch(() -> {
              map(node).put("a", 2L);
              eventual.put("e", 2L);
            }))
        .hasMessageContaining("eventual collection");
    assertThatThrownBy(() ->
            node.batch(() -> { // Whatever its function makes of that.
              map(node).put("b", 3L);
              assertThatThrownBy(() -> eventual.put("e", 3L))
                  .isInstanceOf(IllegalStateException.class);
            }))
        .hasMessageContaining("eventual collection");
    assertThat(map(node).get("b")).isNull();
    assertThatThrownBy(() -> eventual.compute("e", (key, value) -> map(node).get("a")))
        .hasMessageContaining("within an action on eventual ones");
    assertThat(map(node).get("a")).isEqualTo(1);
    assertThat(eventual.get("e")).isEqualTo(1);
  }

  /** A batch is tried on eventual collections first, which is no matter of its function. */
  @Test
  void batchesMayWrapWhatTheyCatch() throws Exception {
    join(1, Duration.ofSeconds(20));
    Node node = nodes.getFirst();
    node.batch(() -> wrapping(() -> map(node).put("a", 1L)));
    node.batch(() -> node.batch(() -> wrapping(() -> map(node).put("b", 2L))));
    node.batch(() -> wrapping(() -> node.batch(() -> map(node).put("c", 3L))));
    assertThat(map(node)).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 3L));
  }

  private static void wrapping(Runnable writes) {
    try {
      writes.run();
    } catch (RuntimeException failed) {
      throw new IllegalArgumentException("the application's own", failed);
    }
  }

  /** A declaration that names a class left open looks at what is there, and nobody waits for it. */
  @Test
  void whatIsOpenCanBeDeclaredLater() throws Exception {
    join();
    nodes.getFirst().map("orders", Object.class, Object.class).put("a", 1L);
    for (Node node : nodes) {
      node.map("orders", Object.class, Object.class);
      assertThat(map(node).get("a")).isEqualTo(1);
    }
  }

  /** A batch is tried on eventual collections first: some threads are there, and others here. */
  @Test
  void collectionsOfBothKindsAreDeclaredWithinBatches() throws Exception {
    join(1, Duration.ofSeconds(20));
    int each = 200;
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      all.add(
          threads.submit(() -> {
            for (int k = 0; k < each; k++) {
              nodes
                  .getFirst()
                  .batch(() -> {
                    map(nodes.getFirst()).merge("a", 1L, Long::sum);
                    nodes.getFirst().map("eventual", String.class, Long.class).get("e");
                  });
            }
          }));
    }
    for (Future<?> one : all) {
      one.get(30, TimeUnit.SECONDS);
    }
    assertThat(map(nodes.getFirst()).get("a")).isEqualTo((long) each * THREADS);
  }
}
