package dev.tempest.jcache;

import javax.cache.Cache;

/** An entry as it was when it was read. */
record CacheEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {
  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.as(type, this);
  }
}
