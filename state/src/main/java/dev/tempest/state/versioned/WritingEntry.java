package dev.tempest.state.versioned;

import java.util.AbstractMap;
import java.util.Map;

/** An entry as it was when an iterator came by; {@code setValue} writes to the map. */
final class WritingEntry<K, V> extends AbstractMap.SimpleEntry<K, V> {
  private static final long serialVersionUID = 1L;

  private final transient Map<K, V> map;

  WritingEntry(Map<K, V> map, K key, V value) {
    super(key, value);
    this.map = map;
  }

  @Override
  public V setValue(V value) {
    map.put(getKey(), value);
    return super.setValue(value);
  }
}
