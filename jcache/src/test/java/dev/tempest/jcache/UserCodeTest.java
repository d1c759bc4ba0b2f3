package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.io.Closeable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loaders and processors that use their cache themselves, or take longer than it is there. */
@Timeout(60)
final class UserCodeTest {
  private static Node node;
  private static CacheManager manager;

  @BeforeAll
  static void join() {
    node =
        Tempest.join(
            NodeConfig.builder()
                .cluster("jcache-user-code-" + ProcessHandle.current().pid())
                .listen("127.0.0.1")
                .multicastPort(0)
                .loopback(false)
                .build());
    manager = TempestCachingProvider.over(node).getCacheManager();
  }

  @AfterAll
  static void leave() {
    node.close();
  }

  @Test
  void aProcessorThatWritesItsOwnKeyThroughTheCacheIsRefused() {
    Cache<String, Integer> cache = manager.createCache("own", new MutableConfiguration<>());
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() ->
            cache.invoke(
                "a",
                (entry, arguments) -> {
                  cache.put("a", runs.incrementAndGet());
                  entry.setValue(7);
                  return null;
                }))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("writes to its own key");
    assertThat(runs).hasValue(2);
    assertThat(cache.get("a")).isEqualTo(2);
  }

  /** Calls back, and gives 1 for every key. */
  private record Loader(Runnable meanwhile) implements CacheLoader<String, Integer> {
    @Override
    public Integer load(String key) {
      meanwhile.run();
      return 1;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      meanwhile.run();
      Map<String, Integer> all = new HashMap<>();
      keys.forEach(key -> all.put(key, 1));
      return all;
    }
  }

  private static MutableConfiguration<String, Integer> loading(Runnable meanwhile) {
    return new MutableConfiguration<String, Integer>()
        .setReadThrough(true)
        .setCacheLoaderFactory(() -> new Loader(meanwhile));
  }

  @Test
  void aLoaderMayPutWhatItLoads() {
    AtomicReference<Cache<String, Integer>> itself = new AtomicReference<>();
    Cache<String, Integer> cache =
        manager.createCache("put", loading(() -> itself.get().put("a", 1)));
    itself.set(cache);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  /** Says whether it was closed while it loaded. */
  private record Closed(CountDownLatch begun, CountDownLatch end, List<String> seen)
      implements CacheLoader<String, Integer>, Closeable {
    @Override
    public Integer load(String key) {
      return 1;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      begun.countDown();
      await(end);
      seen.add("loaded");
      return Map.of();
    }

    @Override
    public void close() {
      seen.add("closed");
    }
  }

  /** A loader that loads once it is closed opens again what nobody closes then. */
  @Test
  void aLoaderIsClosedOnceItHasLoaded() {
    var loader =
        new Closed(new CountDownLatch(1), new CountDownLatch(1), new CopyOnWriteArrayList<>());
    Cache<String, Integer> cache =
        manager.createCache(
            "closed",
            new MutableConfiguration<String, Integer>().setCacheLoaderFactory(() -> loader));
    cache.loadAll(Set.of("a"), true, null);
    await(loader.begun());
    Thread closing = Thread.ofPlatform().start(cache::close);
    while (closing.getState() != Thread.State.TIMED_WAITING && closing.isAlive()) {
      Thread.onSpinWait();
    }
    loader.end().countDown();
    join(closing);
    assertThat(loader.seen()).containsExactly("loaded", "closed");
  }

  @Test
  void whatIsLoadedForACacheThatIsGoneIsNotStored() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    Cache<String, Integer> cache =
        manager.createCache(
            "gone",
            loading(() -> {
              begun.countDown();
              await(gone);
            }));
    var loaded = new CompletionListenerFuture();
    cache.loadAll(Set.of("a", "b"), true, loaded);
    await(begun);
    Thread destroying = Thread.ofPlatform().start(() -> manager.destroyCache("gone"));
    while (!cache.isClosed()) {
      Thread.onSpinWait();
    }
    gone.countDown();
    join(destroying);
    assertThatThrownBy(loaded::get)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("gone is closed");
    assertThat(manager.createCache("gone", new MutableConfiguration<String, Integer>())).isEmpty();
  }

  @Test
  void whoWaitsForALoaderOfACacheThatIsClosedIsTold() {
    Cache<String, Integer> cache = manager.createCache("shut", loading(() -> close("shut")));
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
    assertThat(manager.createCache("shut", new MutableConfiguration<String, Integer>())).isEmpty();
  }

  private static void close(String name) {
    manager.getCache(name).close();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new CacheLoaderException(interrupted);
    }
  }
}
