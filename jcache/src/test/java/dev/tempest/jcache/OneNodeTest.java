package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the TCK does not ask. */
@Timeout(60)
final class OneNodeTest {
  private static final int THREADS = 4;
  private static final int TIMES = 100;

  private static final NodeConfig ALONE =
      NodeConfig.builder()
          .cluster("jcache-one-" + ProcessHandle.current().pid())
          .listen("127.0.0.1")
          .multicastPort(0)
          .loopback(false)
          .build();

  private static Node node;
  private static CacheManager manager;

  @BeforeAll
  static void join() {
    node = Tempest.join(ALONE);
    manager = TempestCachingProvider.over(node).getCacheManager();
  }

  @AfterAll
  static void leave() {
    node.close();
  }

  /** In threads that begin at the same time. */
  private static void together(Runnable work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(
            threads.submit(() -> {
              start.await();
              work.run();
              return null;
            }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static void count(Cache<String, Integer> cache) {
    cache.invoke(
        "count",
        (entry, arguments) -> {
          entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
          return null;
        });
  }

  @Test
  void processorsAreAtomicAndListenersHearInOrder() throws Exception {
    Cache<String, Integer> cache = manager.createCache("counts", new MutableConfiguration<>());
    List<Integer> heard = new CopyOnWriteArrayList<>();
    List<Integer> heardLater = new CopyOnWriteArrayList<>();
    CountDownLatch all = new CountDownLatch(THREADS * TIMES - 1);
    cache.registerCacheEntryListener(
        updates(events -> events.forEach(each -> heard.add(each.getValue())), true));
    cache.registerCacheEntryListener(
        updates(
            events ->
                events.forEach(each -> {
                  heardLater.add(each.getValue());
                  all.countDown();
                }),
            false));
    together(() -> {
      for (int i = 0; i < TIMES; i++) {
        count(cache);
      }
    });
    assertThat(cache.get("count")).isEqualTo(THREADS * TIMES);
    assertThat(heard).hasSize(THREADS * TIMES - 1).isSorted();
    all.await();
    assertThat(heardLater).hasSize(THREADS * TIMES - 1).isSorted();
  }

  private static CacheEntryListenerConfiguration<String, Integer> updates(
      CacheEntryUpdatedListener<String, Integer> listener, boolean isSynchronous) {
    return new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, isSynchronous);
  }

  @Test
  void theLoaderIsAskedOnceForAKey() throws Exception {
    Cache<String, Integer> cache =
        manager.createCache(
            "loaded",
            new MutableConfiguration<String, Integer>()
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> new SlowLoader(new CountDownLatch(2))));
    together(() -> assertThat(cache.get("answer")).isEqualTo(1));
    assertThat(cache.get("answer")).isEqualTo(1);
  }

  /** Says how often it was asked, and waits a little for somebody to ask again. */
  private record SlowLoader(CountDownLatch missing) implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      missing.countDown();
      try {
        return missing.await(200, TimeUnit.MILLISECONDS) ? 2 : 1;
      } catch (InterruptedException interrupted) {
        throw new CacheLoaderException(interrupted);
      }
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      throw new CacheLoaderException("nobody asks");
    }
  }

  @Test
  @Timeout(30)
  void whoeverWaitsForALoaderThatFailsForGoodIsTold() {
    Cache<String, Integer> cache =
        manager.createCache(
            "unloaded",
            new MutableConfiguration<String, Integer>().setCacheLoaderFactory(BrokenLoader::new));
    var loaded = new CompletionListenerFuture();
    cache.loadAll(Set.of("a"), true, loaded);
    assertThatThrownBy(loaded::get)
        .cause()
        .isInstanceOf(CacheLoaderException.class)
        .hasRootCauseInstanceOf(NoClassDefFoundError.class);
  }

  /** A class that it needs is missing. */
  private static final class BrokenLoader implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      throw new NoClassDefFoundError("Database");
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      throw new NoClassDefFoundError("Database");
    }
  }

  @Test
  void aListenerThatThrowsKeepsNothingFromBeingDone() {
    Cache<String, Integer> cache = manager.createCache("heard", new MutableConfiguration<>());
    CacheEntryCreatedListener<String, Integer> listener =
        events -> {
          throw new IllegalStateException("no");
        };
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, true));
    List<Integer> heard = new ArrayList<>();
    CacheEntryCreatedListener<String, Integer> another =
        events -> events.forEach(each -> heard.add(each.getValue()));
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> another, null, false, true));
    assertThatThrownBy(() -> cache.putAll(Map.of("a", 1, "b", 2, "c", 3)))
        .isInstanceOf(CacheEntryListenerException.class);
    assertThat(heard).containsExactlyInAnyOrder(1, 2, 3);
    assertThat(cache.getAll(Set.of("a", "b", "c"))).hasSize(3);
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() ->
            manager.createCache("references", new MutableConfiguration<>().setStoreByValue(false)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("setStoreByValue");
    assertThatThrownBy(
            () -> manager.getCachingProvider().getCacheManager(URI.create("file:/cache.xml"), null))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("use tempest:default");
    Cache<String, Object> cache = manager.createCache("any", new MutableConfiguration<>());
    assertThatThrownBy(() -> cache.put("thread", Thread.currentThread()))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("java.lang.Thread cannot be written");
    assertThat(cache.containsKey("thread")).isFalse();
  }

  @SuppressWarnings("ArrayRecordComponent") // As users have them.
  record Image(String name, byte[] pixels) {}

  enum Size {
    SMALL,
    LARGE {
      @Override
      public String toString() {
        return "huge";
      }
    }
  }

  record Wrong(Thread thread) {}

  @Test
  void recordsAndEnumsAreStoredAsTheyAre() {
    Cache<Size, Image> images =
        manager.createCache(
            "images", new MutableConfiguration<Size, Image>().setTypes(Size.class, Image.class));
    images.put(Size.LARGE, new Image("cat", new byte[] {1, 2}));
    images.put(Size.LARGE, new Image("dog", new byte[] {3}));
    assertThat(images.get(Size.LARGE).pixels()).containsExactly(3);
    images.invoke(
        Size.LARGE,
        (entry, arguments) -> {
          entry.setValue(new Image(entry.getValue().name(), new byte[] {4}));
          return null;
        });
    assertThat(images.get(Size.LARGE).pixels()).containsExactly(4);
    assertThat(images.remove(Size.LARGE)).isTrue();
    Cache<String, Wrong> wrong =
        manager.createCache(
            "wrong", new MutableConfiguration<String, Wrong>().setTypes(String.class, Wrong.class));
    assertThatThrownBy(() -> wrong.put("a", new Wrong(Thread.currentThread())))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("OneNodeTest$Wrong cannot be written");
  }

  @Test
  void anyNameOfACacheHasACollectionOfItsOwn() {
    assertThat(Storage.collectionOf("carts")).isEqualTo("cache-carts");
    assertThat(
            Set.of(
                Storage.collectionOf("Carts"),
                Storage.collectionOf("carts!"),
                Storage.collectionOf("carts?"),
                Storage.collectionOf("carts".repeat(20)),
                Storage.collectionOf("carts".repeat(30)),
                Storage.collectionOf("")))
        .hasSize(6)
        .allMatch(name -> name.matches("cache-[a-z0-9-]{1,58}"));
  }

  @Test
  void aManagerLeavesTheNodeThatItWasGiven() {
    CacheManager other = TempestCachingProvider.over(node).getCacheManager();
    Cache<String, String> cache = other.createCache("closed", new MutableConfiguration<>());
    cache.put("a", "b");
    other.close();
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
    assertThat(node.map("cache-closed", Object.class, Object.class)).containsEntry("a", "b");
    assertThat(other.isClosed()).isTrue();
  }

  @Test
  void aSharedNodeLeavesWithItsLastUser() {
    SharedNode shared = new SharedNode(() -> Tempest.join(ALONE), Node::close);
    NodeUse one = NodeUse.of(shared);
    NodeUse other = NodeUse.of(shared);
    Node joined = one.get();
    Map<String, Integer> map = joined.map("still-there", String.class, Integer.class);
    assertThat(other.get()).isSameAs(joined);
    one.close();
    map.put("a", 1);
    other.close();
    assertThatThrownBy(() -> map.put("a", 2)).isInstanceOf(IllegalStateException.class);
    assertThat(other.get()).isNotSameAs(joined);
    other.close();
  }

  @Test
  void aNodeThatFailedToLeaveIsNotUsedAgain() {
    List<Node> left = new ArrayList<>();
    SharedNode shared =
        new SharedNode(
            () -> Tempest.join(ALONE),
            leaving -> {
              left.add(leaving);
              leaving.close();
              throw new IllegalStateException("no");
            });
    NodeUse use = NodeUse.of(shared);
    Node first = use.get();
    assertThatThrownBy(use::close).hasMessage("no");
    Node second = use.get();
    assertThat(second).isNotSameAs(first);
    second.map("usable", String.class, Integer.class).put("a", 1);
    assertThatThrownBy(use::close).hasMessage("no");
    assertThat(left).containsExactly(first, second);
  }

  @Test
  void whoeverComesWhileTheLastUserLeavesHasANodeThatIsThere() throws Exception {
    CompletableFuture<Node> later = new CompletableFuture<>();
    AtomicReference<SharedNode> shared = new AtomicReference<>();
    shared.set(
        new SharedNode(
            () -> Tempest.join(ALONE),
            leaving -> {
              Thread coming = Thread.ofPlatform().start(() -> later.complete(shared.get().enter()));
              while (!later.isDone() && coming.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
              }
              leaving.close();
            }));
    shared.get().enter();
    shared.get().leave();
    try (Node there = later.get()) {
      there.map("usable", String.class, Integer.class).put("a", 1);
    }
  }

  @Test
  void whatWasOpenedForACacheThatCannotBeIsClosed() {
    Set<String> open = new TreeSet<>();
    MutableConfiguration<String, Integer> configuration =
        new MutableConfiguration<String, Integer>()
            .setManagementEnabled(true)
            .setExpiryPolicyFactory(() -> new OpenPolicy(open))
            .setCacheLoaderFactory(() -> new OpenLoader(open))
            .addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(
                    () -> new OpenListener(open),
                    () -> {
                      assertThat(open).containsExactly("listener", "loader", "policy");
                      throw new IllegalStateException("no filter");
                    },
                    false,
                    true));
    assertThatThrownBy(() -> manager.createCache("impossible", configuration))
        .hasMessage("no filter");
    assertThat(open).isEmpty();
    assertThat(manager.getCacheNames()).doesNotContain("impossible");
    manager.createCache("impossible", new MutableConfiguration<>());
  }

  /** Something that is open until it is closed. */
  private interface Open extends AutoCloseable {
    Set<String> open();

    String name();

    @Override
    default void close() {
      open().remove(name());
    }
  }

  private record OpenPolicy(Set<String> open) implements ExpiryPolicy, Open {
    OpenPolicy {
      open.add("policy");
    }

    @Override
    public String name() {
      return "policy";
    }

    @Override
    public Duration getExpiryForCreation() {
      return Duration.ETERNAL;
    }

    @Override
    public Duration getExpiryForAccess() {
      return Duration.ETERNAL;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return Duration.ETERNAL;
    }
  }

  private record OpenLoader(Set<String> open) implements CacheLoader<String, Integer>, Open {
    OpenLoader {
      open.add("loader");
    }

    @Override
    public String name() {
      return "loader";
    }

    @Override
    public Integer load(String key) {
      return 1;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      return Map.of();
    }
  }

  private record OpenListener(Set<String> open)
      implements CacheEntryCreatedListener<String, Integer>, Open {
    OpenListener {
      open.add("listener");
    }

    @Override
    public String name() {
      return "listener";
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {}
  }
}
