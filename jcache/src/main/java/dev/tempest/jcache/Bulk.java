package dev.tempest.jcache;

import dev.tempest.jcache.Entries.Manner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many entries: the loader and the writer are asked once for all of them, the entries
 * change one by one. They wait for room in the queue of asynchronous listeners before they ask
 * either, and not again: what the writer has written is stored. Thread-safe.
 */
final class Bulk<K, V> {
  private final Entries<K, V> entries;
  private final Integration<K, V> integration;
  private final CompleteConfiguration<K, V> configuration;
  private final BackgroundLoads loads;

  Bulk(
      Entries<K, V> entries,
      Integration<K, V> integration,
      CompleteConfiguration<K, V> configuration,
      BackgroundLoads loads) {
    this.entries = entries;
    this.loads = loads;
    this.integration = integration;
    this.configuration = configuration;
  }

  Map<K, V> getAll(Set<? extends K> keys) {
    Map<K, V> found = new LinkedHashMap<>();
    Set<K> missing = new HashSet<>();
    for (K key : keys) {
      V value = entries.present(key);
      if (value == null) {
        missing.add(key);
      } else {
        found.put(key, value);
      }
    }
    if (configuration.isReadThrough() && !missing.isEmpty()) {
      found.putAll(load(missing, false));
    }
    return found;
  }

  /** Loads in a thread of its own, and tells the listener how that ended. */
  void loadAll(Set<K> keys, boolean replaces, @Nullable CompletionListener listener) {
    loads.start(() -> loadAndTell(keys, replaces, listener));
  }

  private void loadAndTell(Set<K> keys, boolean replaces, @Nullable CompletionListener listener) {
    try {
      if (!replaces) {
        keys.removeIf(entries::contains);
      }
      if (!keys.isEmpty()) {
        load(keys, replaces);
      }
    } catch (RuntimeException failed) {
      if (listener == null) {
        throw failed; // To the handler of uncaught exceptions.
      }
      listener.onException(failed);
      return;
    } catch (Error failed) { // Who waits for the listener waits without end otherwise.
      if (listener != null) {
        listener.onException(new CacheLoaderException("The loader failed: " + failed, failed));
      }
      throw failed;
    }
    if (listener != null) {
      listener.onCompletion();
    }
  }

  private Map<K, V> load(Set<K> keys, boolean replaces) {
    Map<K, V> stored = new LinkedHashMap<>();
    entries.awaitRoom();
    Map<K, V> loaded = integration.loadAll(keys);
    forEach(
        keys,
        key -> {
          V value = loaded.get(key);
          if (value != null) {
            stored.put(key, entries.load(key, value, replaces));
          }
        });
    return stored;
  }

  /** What the writer wrote before it failed counts. */
  void putAll(Map<? extends K, ? extends V> map) {
    entries.awaitRoom();
    Set<K> written = new HashSet<>(map.keySet());
    Collection<Cache.Entry<? extends K, ? extends V>> unwritten = new ArrayList<>();
    try {
      if (configuration.isWriteThrough()) {
        map.forEach((key, value) -> unwritten.add(new CacheEntry<K, V>(key, value)));
        integration.writeAll(unwritten);
        unwritten.clear();
      }
    } finally {
      unwritten.forEach(each -> written.remove(each.getKey()));
      forEach(
          written, key -> entries.put(key, Objects.requireNonNull(map.get(key)), Manner.WRITTEN));
    }
  }

  /** As {@link #putAll}. */
  void removeAll(Set<? extends K> keys) {
    entries.awaitRoom();
    Set<K> deleted = new HashSet<>(keys);
    Set<K> undeleted = new HashSet<>();
    try {
      if (configuration.isWriteThrough() && !keys.isEmpty()) {
        undeleted.addAll(keys);
        integration.deleteAll(undeleted);
        undeleted.clear();
      }
    } finally {
      deleted.removeAll(undeleted);
      forEach(deleted, key -> entries.remove(key, Manner.WRITTEN));
    }
  }

  /** A listener that throws keeps nothing from being done. */
  private static <K> void forEach(Set<? extends K> keys, Consumer<K> operation) {
    CacheEntryListenerException failure = null;
    for (K key : keys) {
      try {
        operation.accept(key);
      } catch (CacheEntryListenerException failed) {
        failure = failure == null ? failed : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
