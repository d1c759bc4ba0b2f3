package dev.tempest.jcache;

import java.util.List;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** A listener with its filter. */
record ListenerRegistration<K, V>(
    CacheEntryListenerConfiguration<K, V> configuration,
    CacheEntryListener<? super K, ? super V> listener,
    @Nullable CacheEntryEventFilter<? super K, ? super V> filter) {

  static <K, V> ListenerRegistration<K, V> of(CacheEntryListenerConfiguration<K, V> configuration) {
    Factory<CacheEntryEventFilter<? super K, ? super V>> filter =
        configuration.getCacheEntryEventFilterFactory();
    Opened opened = new Opened();
    try {
      return new ListenerRegistration<>(
          configuration,
          opened.with(configuration.getCacheEntryListenerFactory().create()),
          filter == null ? null : filter.create());
    } catch (RuntimeException failed) {
      opened.closeBecauseOf(failed);
      throw failed;
    }
  }

  /** What has to be closed with it. */
  List<Object> parts() {
    return filter == null ? List.of(listener) : List.of(listener, filter);
  }

  boolean hears(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  @SuppressWarnings("unchecked") // A listener of K is one of all that K extends.
  void tell(CacheEvent<K, V> event) {
    try {
      if (filter != null && !filter.evaluate(event)) {
        return;
      }
      List<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
      switch (event.getEventType()) {
        case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
        case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
        case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
        case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
      }
    } catch (CacheEntryListenerException failed) {
      throw failed;
    } catch (RuntimeException failed) {
      throw new CacheEntryListenerException("A listener failed: " + failed, failed);
    }
  }
}
