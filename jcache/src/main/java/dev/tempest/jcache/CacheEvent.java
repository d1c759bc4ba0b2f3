package dev.tempest.jcache;

import java.util.Objects;
import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** What listeners are told. */
final class CacheEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // Nobody writes it.
  private final K key;

  @SuppressWarnings("serial")
  private final @Nullable V value;

  @SuppressWarnings("serial")
  private final @Nullable V oldValue;

  CacheEvent(Cache<K, V> source, EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.oldValue = oldValue;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public @Nullable V getValue() {
    return value;
  }

  @Override
  public @Nullable V getOldValue() {
    return oldValue;
  }

  @Override
  public boolean isOldValueAvailable() {
    return oldValue != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.as(type, this);
  }

  @Override
  public String toString() {
    return "%s[%s: %s]".formatted(getEventType(), key, Objects.toString(value));
  }
}
