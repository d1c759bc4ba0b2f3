package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheWriter;
import javax.cache.processor.EntryProcessorException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Others change an entry after the writer was asked, and before its value is stored: the database
 * ends with what is in the cache.
 */
@Timeout(60)
final class WriterTest {
  private static final Map<String, Integer> DATABASE = new HashMap<>();

  private static Node node;
  private static Cache<String, Integer> cache;
  private static Map<Object, Object> collection;

  /** What others do; once. */
  private static Runnable meanwhile = () -> {};

  @BeforeAll
  static void join() {
    node =
        Tempest.join(
            NodeConfig.builder()
                .cluster("jcache-writer-" + ProcessHandle.current().pid())
                .listen("127.0.0.1")
                .multicastPort(0)
                .loopback(false)
                .build());
    cache =
        TempestCachingProvider.over(node)
            .getCacheManager()
            .createCache(
                "raced",
                new MutableConfiguration<String, Integer>()
                    .setWriteThrough(true)
                    .setCacheWriterFactory(Writer::new));
    collection = node.map("cache-raced", Object.class, Object.class);
  }

  @AfterAll
  static void leave() {
    node.close();
  }

  @BeforeEach
  void clear() {
    cache.clear();
    DATABASE.clear();
  }

  private static final class Writer implements CacheWriter<String, Integer> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      race();
      DATABASE.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void delete(Object key) {
      race();
      DATABASE.remove((String) key);
    }

    private static void race() {
      Runnable others = meanwhile;
      meanwhile = () -> {};
      others.run();
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      throw new UnsupportedOperationException();
    }
  }

  /** Another node writes it into its database and into the cache. */
  private static void whileOthersPut(int value) {
    meanwhile =
        () -> {
          DATABASE.put("a", value);
          collection.put("a", value);
        };
  }

  private static void assertThatBothHave(int value) {
    assertThat(cache.get("a")).isEqualTo(value);
    assertThat(DATABASE).isEqualTo(Map.of("a", value));
  }

  @Test
  void whatIsPutInTheEndIsInBoth() {
    whileOthersPut(2);
    cache.put("a", 1);
    assertThatBothHave(1);
  }

  @Test
  void putIfAbsentThatFindsAnEntryInTheEnd() {
    whileOthersPut(2);
    assertThat(cache.putIfAbsent("a", 1)).isFalse();
    assertThatBothHave(2);
  }

  @Test
  void replaceThatFindsAnotherValueInTheEnd() {
    cache.put("a", 1);
    whileOthersPut(2);
    assertThat(cache.replace("a", 1, 3)).isFalse();
    assertThatBothHave(2);
  }

  @Test
  void removeThatFindsAnotherValueInTheEnd() {
    cache.put("a", 1);
    whileOthersPut(2);
    assertThat(cache.remove("a", 1)).isFalse();
    assertThatBothHave(2);
  }

  @Test
  void aProcessorThatFailsTheSecondTime() {
    cache.put("a", 1);
    whileOthersPut(2);
    assertThatThrownBy(() ->
            cache.invoke(
                "a",
                (entry, arguments) -> {
                  if (entry.getValue() == 2) {
                    throw new IllegalStateException("two");
                  }
                  entry.setValue(3);
                  return null;
                }))
        .isInstanceOf(EntryProcessorException.class);
    assertThatBothHave(2);
  }

  @Test
  void ofAnEntryThatIsGoneNothingIsDeleted() {
    cache.put("a", 1);
    meanwhile = () -> collection.remove("a"); // As if there was no room for it.
    assertThat(cache.replace("a", 2)).isFalse();
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(DATABASE).containsOnlyKeys("a");
  }
}
