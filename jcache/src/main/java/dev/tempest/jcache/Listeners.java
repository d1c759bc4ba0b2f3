package dev.tempest.jcache;

import dev.tempest.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a cache. They hear of what this process does with it, and of what expires.
 * Synchronous ones are called by the thread that writes, the others by one thread of the cache,
 * which also tells all of them of what expires by itself. Thread-safe.
 */
final class Listeners<K, V> implements AutoCloseable {
  private final Cache<K, V> cache;
  private final Codec codec;
  private final List<ListenerRegistration<K, V>> registrations = new CopyOnWriteArrayList<>();
  private final Teller teller;
  private @Nullable Registration expiry;

  Listeners(Cache<K, V> cache, Codec codec) {
    this.cache = cache;
    this.codec = codec;
    this.teller = new Teller(cache.getName(), Teller.WAITING_MAX);
  }

  synchronized void add(CacheEntryListenerConfiguration<K, V> configuration, Storage storage) {
    ListenerRegistration<K, V> added = ListenerRegistration.of(configuration);
    registrations.add(added);
    if (expiry == null && added.hears(EventType.EXPIRED)) {
      expiry =
          storage.onExpired(
              (key, before) -> teller.tellIfThereIsRoom(() -> tellOfExpired(key, before)));
    }
  }

  private void tellOfExpired(Object key, Object before) {
    tellAll(EventType.EXPIRED, keyOf(key), before, null, ListenerRegistration::tell);
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
   * Waits until asynchronous listeners, if there are any, can be told of one thing more. Whoever
   * changes an entry asks first.
   *
   * @throws CacheException if that takes too long
   */
  void awaitRoom() {
    for (ListenerRegistration<K, V> each : registrations) {
      if (!each.configuration().isSynchronous()) {
        teller.awaitRoom();
        return;
      }
    }
  }

  /**
   * Tells all that hear of such events.
   *
   * @throws CacheEntryListenerException what the first of them threw, once all were told
   */
  void dispatch(EventType type, K key, @Nullable Object before, @Nullable Object after) {
    tellAll(type, key, before, after, this::tellNowOrSoon);
  }

  private void tellNowOrSoon(ListenerRegistration<K, V> listener, CacheEvent<K, V> event) {
    if (listener.configuration().isSynchronous()) {
      listener.tell(event);
    } else if (event.getEventType() == EventType.EXPIRED) {
      teller.tellIfThereIsRoom(() -> listener.tell(event)); // Reads make these, and do not wait.
    } else {
      teller.tell(() -> listener.tell(event));
    }
  }

  private void tellAll(
      EventType type,
      K key,
      @Nullable Object before,
      @Nullable Object after,
      BiConsumer<ListenerRegistration<K, V>, CacheEvent<K, V>> how) {
    CacheEntryListenerException failure = null;
    for (ListenerRegistration<K, V> each : registrations) {
      if (!each.hears(type)) {
        continue;
      }
      try {
        how.accept(each, event(each, type, key, before, after));
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

  private CacheEvent<K, V> event(
      ListenerRegistration<K, V> listener,
      EventType type,
      K key,
      @Nullable Object before,
      @Nullable Object after) {
    boolean wantsOld = listener.configuration().isOldValueRequired();
    V old = before == null || !wantsOld ? null : valueOf(before);
    V value = after == null ? old : valueOf(after);
    return new CacheEvent<>(cache, type, key, value, old);
  }

  @SuppressWarnings("unchecked") // As in Entries.
  private K keyOf(Object stored) {
    return (K) codec.key(stored);
  }

  @SuppressWarnings("unchecked")
  private V valueOf(Object stored) {
    return (V) codec.value(Stored.value(stored));
  }

  /** Tells nobody any more, and closes the listeners. */
  @Override
  public synchronized void close() {
    if (expiry != null) {
      expiry.close();
    }
    teller.close();
    List<Object> parts = registrations.stream().flatMap(each -> each.parts().stream()).toList();
    registrations.clear();
    Closing.all(parts);
  }
}
