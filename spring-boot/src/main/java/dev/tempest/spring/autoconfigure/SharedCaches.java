package dev.tempest.spring.autoconfigure;

import java.util.Objects;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.jcache.JCacheCacheManager;

/** Caches are there once somebody asks for them, as with Spring's own in memory. */
final class SharedCaches extends JCacheCacheManager {
  SharedCaches(CacheManager manager) {
    super(manager);
  }

  /** Makes one, unless there is one of that name. */
  void create(String name) {
    CacheManager manager = Objects.requireNonNull(getCacheManager());
    synchronized (manager) {
      if (manager.getCache(name) == null) {
        manager.createCache(name, new MutableConfiguration<>());
      }
    }
  }

  @Override
  protected @Nullable Cache getMissingCache(String name) {
    create(name);
    return super.getMissingCache(name);
  }
}
