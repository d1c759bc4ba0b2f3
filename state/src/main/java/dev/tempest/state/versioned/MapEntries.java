package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;

/** The entries of a map. */
final class MapEntries<K, V> extends BulkSet<Map.Entry<K, V>, KeyedMap<K, V>> {
  MapEntries(KeyedMap<K, V> map) {
    super(map);
  }

  @Override
  public boolean contains(Object candidate) {
    return candidate instanceof Map.Entry<?, ?> entry
        && map.containsEntry(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean remove(Object candidate) {
    return candidate instanceof Map.Entry<?, ?> entry
        && map.remove(entry.getKey(), entry.getValue());
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return map.iterator(map::entryOf);
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return map.entrySpliterator();
  }
}
