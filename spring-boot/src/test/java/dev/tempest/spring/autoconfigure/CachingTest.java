package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.SimpleKeyGenerator;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What one instance has computed the others find in the cache. */
@Timeout(60)
final class CachingTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TempestAutoConfiguration.class, TempestCacheAutoConfiguration.class))
          .withPropertyValues(
              "tempest.cluster=caching-" + ProcessHandle.current().pid(),
              "tempest.listen=127.0.0.1");

  private static final Node NODE =
      Tempest.join(
          NodeConfig.builder()
              .cluster("cache-types-" + ProcessHandle.current().pid())
              .listen("127.0.0.1")
              .build());

  /** Where it is only the question which caches there are. */
  private final ApplicationContextRunner typed =
      application
          .withConfiguration(AutoConfigurations.of(CacheAutoConfiguration.class))
          .withUserConfiguration(Shop.class)
          .withBean(Node.class, () -> NODE, definition -> definition.setDestroyMethodName(""));

  @AfterAll
  static void close() {
    NODE.close();
  }

  static class Prices {
    private final AtomicInteger computed;

    Prices(AtomicInteger computed) {
      this.computed = computed;
    }

    @Cacheable("prices")
    public Integer of(String product, int count) {
      computed.incrementAndGet();
      return product.length() * count;
    }

    @CacheEvict("prices")
    public void changed(String product, int count) {
      assertThat(product.length() * count).isPositive();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching(proxyTargetClass = true)
  static class Shop {
    @Bean
    AtomicInteger computed() {
      return new AtomicInteger();
    }

    @Bean
    Prices prices(AtomicInteger computed) {
      return new Prices(computed);
    }
  }

  @Test
  void instancesShareACache() {
    application
        .withUserConfiguration(Shop.class)
        .run(one -> {
          Prices prices = one.getBean(Prices.class);
          assertThat(prices.of("apple", 2)).isEqualTo(10);
          assertThat(prices.of("apple", 2)).isEqualTo(10);
          assertThat(prices.of("apple", 3)).isEqualTo(15);
          assertThat(one.getBean(AtomicInteger.class)).hasValue(2);
          application
              .withUserConfiguration(Shop.class)
              .run(other -> {
                assertThat(other.getBean(Prices.class).of("apple", 2)).isEqualTo(10);
                assertThat(other.getBean(AtomicInteger.class)).hasValue(0);
                assertThat(other.getBean(CacheManager.class).getCacheNames())
                    .containsExactly("prices");
                other.getBean(Prices.class).changed("apple", 2);
                while (!isGone(one.getBean(CacheManager.class))) {
                  Thread.onSpinWait();
                }
              });
          assertThat(prices.of("apple", 2)).isEqualTo(10);
          assertThat(one.getBean(AtomicInteger.class)).hasValue(3);
        });
  }

  private static boolean isGone(CacheManager caches) {
    Cache prices = Objects.requireNonNull(caches.getCache("prices"));
    return prices.get(SimpleKeyGenerator.generateKey("apple", 2)) == null;
  }

  @ParameterizedTest
  @CsvSource({
    "none, NoOpCacheManager",
    "simple, ConcurrentMapCacheManager",
    "SIMPLE, ConcurrentMapCacheManager",
    "jcache, SharedCaches"
  })
  void theApplicationSaysOfWhichTypeCachesAre(String type, String manager) {
    typed
        .withPropertyValues("spring.cache.type=" + type)
        .run(context ->
            assertThat(context.getBean(CacheManager.class).getClass().getSimpleName())
                .isEqualTo(manager));
  }

  static final class WithoutNulls implements CacheManagerCustomizer<JCacheCacheManager> {
    @Override
    public void customize(JCacheCacheManager caches) {
      caches.setAllowNullValues(false);
    }
  }

  @Test
  void cachesAreNamedAndCustomizedAsThoseOfOthers() {
    typed
        .withPropertyValues("spring.cache.cache-names=prices, stock")
        .withBean(WithoutNulls.class)
        .run(context -> {
          SharedCaches caches = context.getBean(SharedCaches.class);
          assertThat(caches.getCacheNames()).containsExactlyInAnyOrder("prices", "stock");
          assertThat(caches.isAllowNullValues()).isFalse();
        });
  }

  @Test
  void cachesOfTheApplicationAndOtherProvidersGoBefore() {
    typed
        .withBean(Cache.class, () -> new ConcurrentMapCache("prices"))
        .run(context -> assertThat(context).hasSingleBean(SimpleCacheManager.class));
    typed
        .withPropertyValues("spring.cache.jcache.provider=com.example.Provider")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("com.example.Provider"));
  }

  @Test
  void anotherManagerIsLeftAlone() {
    application
        .withUserConfiguration(Shop.class)
        .withBean(CacheManager.class, ConcurrentMapCacheManager::new)
        .run(context -> assertThat(context).doesNotHaveBean(SharedCaches.class));
    application.run(context -> assertThat(context).doesNotHaveBean(CacheManager.class));
  }
}
