package dev.tempest.jcache;

import dev.tempest.jcache.Entries.Manner;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/** A cache over a collection. Thread-safe. */
final class TempestCache<K, V> implements Cache<K, V> {
  private final TempestCaches manager;
  private final String name;
  private final MutableConfiguration<K, V> configuration;
  private final Storage storage;
  private final Listeners<K, V> listeners;
  private final Entries<K, V> entries;
  private final Bulk<K, V> bulk;
  private final Statistics statistics = new Statistics();
  private final Beans beans;
  private final Opened opened = new Opened();
  private volatile boolean isClosed;

  /**
   * Over a collection. If that fails, all that was opened for it is closed.
   *
   * @param configuration belongs to the cache
   */
  TempestCache(
      TempestCaches manager,
      String name,
      MutableConfiguration<K, V> configuration,
      Storage storage) {
    this.manager = manager;
    this.name = name;
    this.configuration = configuration;
    this.storage = storage;
    Codec codec = new Codec(storage.declared(), manager.getClassLoader());
    try {
      Expiry expiry = new Expiry(opened.with(configuration.getExpiryPolicyFactory().create()));
      Integration<K, V> integration = new Integration<>(configuration, opened);
      this.listeners = opened.with(new Listeners<>(this, codec));
      this.entries =
          new Entries<>(
              storage,
              codec,
              configuration,
              expiry,
              integration,
              listeners,
              statistics,
              this::requireOpen);
      this.beans = opened.with(new Beans(manager.getURI(), name));
      BackgroundLoads loads = opened.with(new BackgroundLoads()); // Closed before what they use.
      this.bulk = new Bulk<>(entries, integration, configuration, loads);
      configuration
          .getCacheEntryListenerConfigurations()
          .forEach(each -> listeners.add(each, storage));
      enableManagement(configuration.isManagementEnabled());
      enableStatistics(configuration.isStatisticsEnabled());
    } catch (RuntimeException failed) {
      opened.closeBecauseOf(failed);
      throw failed;
    }
  }

  synchronized void enableManagement(boolean enabled) {
    configuration.setManagementEnabled(enabled);
    beans.show("CacheConfiguration", enabled ? new Management(configuration) : null);
  }

  synchronized void enableStatistics(boolean enabled) {
    configuration.setStatisticsEnabled(enabled);
    statistics.enable(enabled);
    beans.show("CacheStatistics", enabled ? statistics : null);
  }

  @Override
  public @Nullable V get(K key) {
    requireOpen();
    return entries.get(key);
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    requireOpen();
    requireNoNull(keys);
    return bulk.getAll(keys);
  }

  @Override
  public boolean containsKey(K key) {
    requireOpen();
    return entries.contains(key);
  }

  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExistingValues, @Nullable CompletionListener listener) {
    requireOpen();
    requireNoNull(keys);
    bulk.loadAll(new HashSet<>(keys), replaceExistingValues, listener);
  }

  @Override
  public void put(K key, V value) {
    requireOpen();
    entries.put(key, value, Manner.WRITING);
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    return run(key, draft -> draft.getAndSet(value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    requireOpen();
    requireNoNull(map.keySet());
    requireNoNull(map.values());
    bulk.putAll(map);
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    requireValue(value);
    return run(key, draft -> draft.setIfAbsent(value));
  }

  @Override
  public boolean remove(K key) {
    requireOpen();
    return entries.remove(key, Manner.WRITING);
  }

  @Override
  public boolean remove(K key, V oldValue) {
    requireValue(oldValue);
    return run(key, draft -> draft.removeIf(oldValue));
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    return run(key, Draft::getAndRemove);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    requireValue(oldValue);
    requireValue(newValue);
    return run(key, draft -> draft.replaceIf(oldValue, newValue));
  }

  @Override
  public boolean replace(K key, V value) {
    requireValue(value);
    return run(key, draft -> draft.replace(value));
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    requireValue(value);
    return run(key, draft -> draft.getAndReplace(value));
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    requireOpen();
    requireNoNull(keys);
    bulk.removeAll(keys);
  }

  @Override
  public void removeAll() {
    requireOpen();
    bulk.removeAll(entries.keys());
  }

  @Override
  public void clear() {
    requireOpen();
    entries.clear();
  }

  @Override
  public <T> @Nullable T invoke(
      K key, EntryProcessor<K, V, T> processor, @Nullable Object... arguments) {
    requireValue(processor);
    return run(key, draft -> processed(draft, processor, arguments));
  }

  private static <K, V, T extends @Nullable Object> T processed(
      Draft<K, V> draft, EntryProcessor<K, V, T> processor, @Nullable Object... arguments) {
    try {
      return processor.process(draft, arguments);
    } catch (EntryProcessorException failed) {
      throw failed;
    } catch (RuntimeException failed) {
      throw new EntryProcessorException("The processor failed: " + failed, failed);
    }
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, @Nullable Object... arguments) {
    requireOpen();
    requireNoNull(keys);
    Objects.requireNonNull(processor);
    Map<K, EntryProcessorResult<T>> results = new LinkedHashMap<>();
    for (K key : keys) {
      try {
        T result = invoke(key, processor, arguments);
        if (result != null) {
          results.put(key, () -> result);
        }
      } catch (CacheException failed) {
        results.put(
            key,
            () -> {
              throw failed instanceof EntryProcessorException it
                  ? it
                  : new EntryProcessorException(failed);
            });
      }
    }
    return results;
  }

  @Override
  public Iterator<Cache.Entry<K, V>> iterator() {
    requireOpen();
    Iterator<CacheEntry<K, V>> all = entries.all();
    return new Iterator<>() {
      private @Nullable K last;

      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public Cache.Entry<K, V> next() {
        requireOpen();
        CacheEntry<K, V> next = all.next();
        last = next.key();
        return next;
      }

      @Override
      public void remove() {
        if (last == null) {
          throw new IllegalStateException("next() comes first");
        }
        TempestCache.this.remove(last);
        last = null;
      }
    };
  }

  @Override
  public synchronized <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    return Unwrapping.as(type, new MutableConfiguration<>(configuration));
  }

  @Override
  public synchronized void registerCacheEntryListener(
      CacheEntryListenerConfiguration<K, V> listener) {
    requireOpen();
    configuration.addCacheEntryListenerConfiguration(listener); // Refuses a second time.
    try {
      listeners.add(listener, storage);
    } catch (RuntimeException failed) {
      configuration.removeCacheEntryListenerConfiguration(listener);
      throw failed;
    }
  }

  @Override
  public synchronized void deregisterCacheEntryListener(
      CacheEntryListenerConfiguration<K, V> listener) {
    requireOpen();
    configuration.removeCacheEntryListenerConfiguration(Objects.requireNonNull(listener));
    Closing.all(listeners.remove(listener));
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public TempestCaches getCacheManager() {
    return manager;
  }

  /** Closes it here. Its contents stay, for the other nodes. */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    manager.forget(this);
    opened.close();
  }

  /** Closes it, and removes what is in it, at all nodes. */
  void destroy() {
    close();
    storage.clear();
  }

  @Override
  public boolean isClosed() {
    return isClosed;
  }

  /** This cache, or the {@link dev.tempest.Node} that it is at. */
  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.as(type, this, storage.node());
  }

  private <R extends @Nullable Object> R run(K key, Function<Draft<K, V>, R> operation) {
    requireOpen();
    return entries.run(key, Manner.LOOKING, operation);
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("The cache " + name + " is closed");
    }
  }

  private void requireValue(Object value) {
    requireOpen();
    Objects.requireNonNull(value);
  }

  private static void requireNoNull(Collection<?> all) {
    all.forEach(Objects::requireNonNull);
  }
}
