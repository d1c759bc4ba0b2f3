package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that have the same caches. */
@Timeout(60)
final class TwoNodesTest {
  private static final NodeConfig CONFIG =
      NodeConfig.builder()
          .cluster("jcache-" + ProcessHandle.current().pid())
          .listen("127.0.0.1")
          .build();

  private static Node oneNode;
  private static Node otherNode;
  private static CacheManager one;
  private static CacheManager other;

  @BeforeAll
  static void join() {
    oneNode = Tempest.join(CONFIG);
    otherNode = Tempest.join(CONFIG);
    one = TempestCachingProvider.over(oneNode).getCacheManager();
    other = TempestCachingProvider.over(otherNode).getCacheManager();
  }

  @AfterAll
  static void leave() {
    one.close();
    other.close();
    oneNode.close();
    otherNode.close();
  }

  record Cart(String customer, List<Integer> items) {}

  private static void eventually(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
      if (Thread.interrupted()) {
        throw new AssertionError("not in time");
      }
    }
  }

  @Test
  void whatOnePutsTheOtherGets() {
    Cache<String, BitSet> here = one.createCache("Days at work", new MutableConfiguration<>());
    Cache<String, BitSet> there = other.createCache("Days at work", new MutableConfiguration<>());
    here.put("alice", BitSet.valueOf(new long[] {17}));
    eventually(() -> there.containsKey("alice"));
    assertThat(there.get("alice")).isEqualTo(BitSet.valueOf(new long[] {17}));
    there.remove("alice");
    eventually(() -> !here.containsKey("alice"));
  }

  @Test
  void aRecordTravelsAsARecord() {
    var configuration = new MutableConfiguration<String, Cart>().setTypes(String.class, Cart.class);
    Cache<String, Cart> here = one.createCache("carts", configuration);
    here.put("alice", new Cart("alice", List.of(1, 2))); // It is not Serializable.
    assertThat(oneNode.map("cache-carts", Object.class, Object.class).get("alice"))
        .isEqualTo(new Cart("alice", List.of(1, 2)));
  }

  @Test
  void entriesExpireAtBothAndListenersHearOfIt() throws InterruptedException {
    var configuration =
        new MutableConfiguration<String, String>()
            .setExpiryPolicyFactory(
                CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 700)));
    Cache<String, String> here = one.createCache("tokens", configuration);
    Cache<String, String> there = other.createCache("tokens", configuration);
    CountDownLatch expired = new CountDownLatch(2);
    for (boolean isSynchronous : List.of(false, true)) {
      CacheEntryExpiredListener<String, String> listener =
          events -> events.forEach(each -> requireToken(each, expired));
      there.registerCacheEntryListener(
          new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, isSynchronous));
    }
    here.put("alice", "token");
    eventually(() -> there.containsKey("alice"));
    eventually(() -> !there.containsKey("alice"));
    eventually(() -> !here.containsKey("alice"));
    expired.await();
  }

  private static void requireToken(
      CacheEntryEvent<? extends String, ? extends String> event, CountDownLatch expired) {
    boolean isOfCache = Thread.currentThread().getName().equals("tempest-jcache-listeners");
    if (isOfCache && event.getKey().equals("alice") && event.getOldValue().equals("token")) {
      expired.countDown();
    }
  }

  @Test
  void aValueWhoseClassIsMissingTroublesOnlyItsCaller(@TempDir Path folder) throws Exception {
    Cache<String, Object> here = one.createCache("objects", new MutableConfiguration<>());
    Cache<String, Object> there = other.createCache("objects", new MutableConfiguration<>());
    here.put("alice", foreign(folder));
    eventually(() -> there.containsKey("alice"));
    assertThatThrownBy(() -> there.get("alice"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("Foreign");
    there.put("bob", 1);
    assertThat(there.get("bob")).isEqualTo(1);
    assertThat(there.remove("alice")).isTrue();
    eventually(() -> !here.containsKey("alice"));
  }

  /** Of a class that is nowhere but in a folder. */
  private static Object foreign(Path folder) throws Exception {
    Path source = folder.resolve("Foreign.java");
    Files.writeString(source, "public class Foreign implements java.io.Serializable {}");
    ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString());
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      return loader.loadClass("Foreign").getConstructor().newInstance();
    }
  }
}
