package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.jcache.TempestCachingProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer;
import org.springframework.boot.cache.autoconfigure.CacheManagerCustomizers;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * Caches that all processes of the application share, where caching is enabled, {@code
 * tempest-jcache} is in the class path, no other caches are beans, and {@code spring.cache.type}
 * asks for no others.
 */
@AutoConfiguration(after = TempestAutoConfiguration.class, before = CacheAutoConfiguration.class)
@ConditionalOnClass({
  CacheManagerCustomizers.class,
  JCacheCacheManager.class,
  TempestCachingProvider.class
})
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean(
    value = {CacheManager.class, javax.cache.CacheManager.class, Cache.class},
    name = "cacheResolver")
@Conditional(CacheTypeCondition.class)
public final class TempestCacheAutoConfiguration {
  @Bean
  static JCacheCacheManager cacheManager(
      Node node,
      ResourceLoader loader,
      Environment environment,
      ObjectProvider<CacheManagerCustomizer<?>> customizers) {
    SharedCaches caches =
        new SharedCaches(
            TempestCachingProvider.over(node).getCacheManager(null, loader.getClassLoader()));
    Binder.get(environment)
        .bind("spring.cache.cache-names", Bindable.listOf(String.class))
        .ifBound(names -> names.forEach(caches::create));
    return new CacheManagerCustomizers(customizers.orderedStream().toList()).customize(caches);
  }
}
