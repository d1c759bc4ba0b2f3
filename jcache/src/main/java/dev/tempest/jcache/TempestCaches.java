package dev.tempest.jcache;

import dev.tempest.Node;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;

/** The caches that one class loader of an application uses. Thread-safe. */
final class TempestCaches implements CacheManager {
  private final TempestCachingProvider provider;
  private final NodeUse node;
  private final URI uri;
  private final ClassLoader loader;
  private final Properties properties;
  private final Map<String, TempestCache<?, ?>> caches = new TreeMap<>();
  private boolean isClosed;

  TempestCaches(
      TempestCachingProvider provider,
      NodeUse node,
      URI uri,
      ClassLoader loader,
      Properties properties) {
    this.provider = provider;
    this.node = node;
    this.uri = uri;
    this.loader = loader;
    this.properties = properties;
  }

  @Override
  public TempestCachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public ClassLoader getClassLoader() {
    return loader;
  }

  @Override
  public Properties getProperties() {
    return properties;
  }

  @Override
  public synchronized <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String name, C given) {
    requireOpen();
    Objects.requireNonNull(name);
    MutableConfiguration<K, V> configuration = copyOf(given);
    if (!configuration.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "Values are stored by value: other nodes have them, too. Leave setStoreByValue at true");
    }
    if (caches.containsKey(name)) {
      throw new CacheException(
          "There is a cache %s already: get it by getCache, or destroy it first".formatted(name));
    }
    Storage storage =
        new Storage(
            name, node.get(), List.of(configuration.getKeyType(), configuration.getValueType()));
    TempestCache<K, V> cache = new TempestCache<>(this, name, configuration, storage);
    caches.put(name, cache);
    return cache;
  }

  private static <K, V> MutableConfiguration<K, V> copyOf(Configuration<K, V> given) {
    if (given instanceof CompleteConfiguration<K, V> complete) {
      return new MutableConfiguration<>(complete);
    }
    return new MutableConfiguration<K, V>()
        .setTypes(given.getKeyType(), given.getValueType())
        .setStoreByValue(given.isStoreByValue());
  }

  @Override
  @SuppressWarnings("unchecked") // Compared.
  public <K, V> @Nullable Cache<K, V> getCache(String name, Class<K> keyType, Class<V> valueType) {
    Objects.requireNonNull(keyType);
    Objects.requireNonNull(valueType);
    TempestCache<?, ?> cache = find(name);
    if (cache == null) {
      return null;
    }
    Configuration<?, ?> has = cache.getConfiguration(Configuration.class);
    if (!keyType.equals(has.getKeyType()) || !valueType.equals(has.getValueType())) {
      throw new ClassCastException(
          "The cache %s has keys of %s and values of %s"
              .formatted(name, has.getKeyType().getName(), has.getValueType().getName()));
    }
    return (Cache<K, V>) cache;
  }

  @Override
  @SuppressWarnings("unchecked") // So JCache says: the caller knows.
  public <K, V> @Nullable Cache<K, V> getCache(String name) {
    return (Cache<K, V>) find(name);
  }

  private synchronized @Nullable TempestCache<?, ?> find(String name) {
    requireOpen();
    return caches.get(Objects.requireNonNull(name));
  }

  @Override
  public synchronized Iterable<String> getCacheNames() {
    requireOpen();
    return List.copyOf(caches.keySet());
  }

  @Override
  public void destroyCache(String name) {
    TempestCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.destroy();
    }
  }

  @Override
  public void enableManagement(String name, boolean enabled) {
    TempestCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.enableManagement(enabled);
    }
  }

  @Override
  public void enableStatistics(String name, boolean enabled) {
    TempestCache<?, ?> cache = find(name);
    if (cache != null) {
      cache.enableStatistics(enabled);
    }
  }

  synchronized void forget(TempestCache<?, ?> cache) {
    caches.remove(cache.getName(), cache);
  }

  /** Closes its caches. If it was the last manager in this process, the node leaves. */
  @Override
  public void close() {
    List<TempestCache<?, ?>> open;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      open = List.copyOf(caches.values());
    }
    provider.forget(this);
    try {
      Closing.all(open);
    } finally {
      node.close();
    }
  }

  @Override
  public synchronized boolean isClosed() {
    return isClosed;
  }

  /** This manager, or its {@link Node}. */
  @Override
  public synchronized <T> T unwrap(Class<T> type) {
    requireOpen();
    return type == Node.class ? type.cast(node.get()) : Unwrapping.as(type, this);
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("The manager " + uri + " is closed");
    }
  }
}
