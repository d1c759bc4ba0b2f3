package dev.tempest.jcache;

import dev.tempest.Registration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a cache. They hear of what this process does with it, and of what expires.
 * Synchronous ones are called by the thread that writes, the others by one thread of the cache.
 * Thread-safe.
 */
final class Listeners<K, V> {
  /** So many events wait for a slow listener before writers wait with them. */
  private static final int WAITING_MAX = 10_000;

  private final Cache<K, V> cache;
  private final Codec codec;
  private final List<ListenerRegistration<K, V>> registrations = new CopyOnWriteArrayList<>();
  private final ExecutorService teller =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_MAX),
          Thread.ofVirtual().name("tempest-jcache-listeners").factory(),
          new ThreadPoolExecutor.CallerRunsPolicy());
  private @Nullable Registration expiry;

  Listeners(Cache<K, V> cache, Codec codec) {
    this.cache = cache;
    this.codec = codec;
  }

  synchronized void add(CacheEntryListenerConfiguration<K, V> configuration, Storage storage) {
    ListenerRegistration<K, V> added = ListenerRegistration.of(configuration);
    registrations.add(added);
    if (expiry == null && added.hears(EventType.EXPIRED)) {
      expiry =
          storage.onExpired((key, before) -> dispatch(EventType.EXPIRED, keyOf(key), before, null));
    }
  }

  /** The listeners that were removed. */
  List<Object> remove(CacheEntryListenerConfiguration<K, V> configuration) {
    List<Object> removed =
        registrations.stream()
            .filter(each -> each.configuration().equals(configuration))
            .flatMap(each -> each.parts().stream())
            .toList();
    registrations.removeIf(each -> each.configuration().equals(configuration));
    return removed;
  }

  /**
   * Tells all that hear of such events.
   *
   * @throws CacheEntryListenerException what the first of them threw, once all were told
   */
  void dispatch(EventType type, K key, @Nullable Object before, @Nullable Object after) {
    CacheEntryListenerException failure = null;
    for (ListenerRegistration<K, V> each : registrations) {
      if (!each.hears(type)) {
        continue;
      }
      try {
        tell(each, type, key, before, after);
      } catch (CacheEntryListenerException failed) {
        failure = failure == null ? failed : failure;
      } catch (CacheException unreadable) {
        CacheEntryListenerException failed =
            new CacheEntryListenerException(unreadable.getMessage(), unreadable);
        failure = failure == null ? failed : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void tell(
      ListenerRegistration<K, V> listener,
      EventType type,
      K key,
      @Nullable Object before,
      @Nullable Object after) {
    boolean wantsOld = listener.configuration().isOldValueRequired();
    V old = before == null || !wantsOld ? null : valueOf(before);
    V value = after == null ? old : valueOf(after);
    CacheEvent<K, V> event = new CacheEvent<>(cache, type, key, value, old);
    if (listener.configuration().isSynchronous()) {
      listener.tell(event);
    } else {
      teller.execute(() -> listener.tell(event));
    }
  }

  @SuppressWarnings("unchecked") // As in Entries.
  private K keyOf(Object stored) {
    return (K) codec.key(stored);
  }

  @SuppressWarnings("unchecked")
  private V valueOf(Object stored) {
    return (V) codec.value(Stored.value(stored));
  }

  /** Tells nobody any more; returns what has to be closed. */
  synchronized List<Object> end() {
    if (expiry != null) {
      expiry.close();
    }
    teller.shutdownNow();
    List<Object> parts = registrations.stream().flatMap(each -> each.parts().stream()).toList();
    registrations.clear();
    return parts;
  }
}
