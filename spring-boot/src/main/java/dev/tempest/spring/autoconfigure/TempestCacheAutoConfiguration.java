package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.jcache.TempestCachingProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;

/**
 * Caches that all processes of the application share, where caching is enabled, {@code
 * tempest-jcache} is in the class path and no other manager of caches is a bean.
 */
@AutoConfiguration(
    after = TempestAutoConfiguration.class,
    beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@ConditionalOnClass({JCacheCacheManager.class, TempestCachingProvider.class})
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean({CacheManager.class, javax.cache.CacheManager.class})
public final class TempestCacheAutoConfiguration {
  @Bean
  static JCacheCacheManager cacheManager(Node node, ResourceLoader loader) {
    return new SharedCaches(
        TempestCachingProvider.over(node).getCacheManager(null, loader.getClassLoader()));
  }
}
