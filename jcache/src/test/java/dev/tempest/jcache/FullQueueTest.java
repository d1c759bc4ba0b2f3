package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations on many entries while a slow listener leaves no room for a further event. */
@Timeout(60)
final class FullQueueTest {
  private static final CountDownLatch HELD = new CountDownLatch(1);
  private static final CountDownLatch RETURNING = new CountDownLatch(1);
  private static final List<String> ASKED = new ArrayList<>();

  private static Node node;
  private static Cache<String, Integer> cache;

  /** One operation writes more than may wait: it has waited before, and does not again. */
  @BeforeAll
  static void fill() throws InterruptedException {
    node =
        Tempest.join(
            NodeConfig.builder()
                .cluster("jcache-full-" + ProcessHandle.current().pid())
                .listen("127.0.0.1")
                .multicastPort(0)
                .loopback(false)
                .build());
    cache =
        TempestCachingProvider.over(node)
            .getCacheManager()
            .createCache(
                "full",
                new MutableConfiguration<String, Integer>()
                    .setReadThrough(true)
                    .setWriteThrough(true)
                    .setCacheLoaderFactory(Database::new)
                    .setCacheWriterFactory(Database::new)
                    .addCacheEntryListenerConfiguration(
                        new MutableCacheEntryListenerConfiguration<>(
                            SlowListener::new, null, false, false)));
    Map<String, Integer> many = new HashMap<>();
    for (int i = 0; i <= Teller.WAITING_MAX; i++) {
      many.put("there" + i, i);
    }
    cache.putAll(many);
    HELD.await();
  }

  @AfterEach
  void forget() {
    ASKED.clear();
  }

  @AfterAll
  static void leave() {
    RETURNING.countDown();
    node.close();
  }

  private static final class SlowListener implements CacheEntryCreatedListener<String, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
      HELD.countDown();
      try {
        RETURNING.await();
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Only says who was asked. */
  private static final class Database
      implements CacheLoader<String, Integer>, CacheWriter<String, Integer> {
    @Override
    public Integer load(String key) {
      ASKED.add("load " + key);
      return 1;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      ASKED.add("load all " + keys);
      return Map.of();
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      ASKED.add("write " + entry.getKey());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      ASKED.add("write all");
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      ASKED.add("delete " + key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      ASKED.add("delete all");
      keys.clear();
    }
  }

  enum Operation {
    PUT_ALL {
      @Override
      void run() {
        cache.putAll(Map.of("new", 1, "there1", -1));
      }
    },
    REMOVE_ALL {
      @Override
      void run() {
        cache.removeAll(Set.of("there1", "there2"));
      }
    },
    GET_ALL {
      @Override
      void run() {
        cache.getAll(Set.of("new", "newer"));
      }
    };

    abstract void run();
  }

  @ParameterizedTest
  @EnumSource
  void nobodyIsAskedAndNothingChanges(Operation operation) {
    ASKED.clear();
    Thread.currentThread().interrupt(); // Whoever waits gives up at once.
    assertThatThrownBy(operation::run)
        .isInstanceOf(CacheException.class)
        .hasMessage("Interrupted; nothing was written");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(ASKED).isEmpty();
    assertThat(cache.get("there1")).isEqualTo(1);
    assertThat(cache.containsKey("there2")).isTrue();
    assertThat(cache.containsKey("new")).isFalse();
  }

  @Test
  void whatIsThereIsReadAtOnce() {
    assertThat(cache.get("there1")).isEqualTo(1);
    assertThat(cache.getAll(Set.of("there1", "there2"))).hasSize(2);
  }
}
