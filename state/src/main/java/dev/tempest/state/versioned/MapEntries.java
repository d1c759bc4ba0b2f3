package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;

/** The entries of a map. */
final class MapEntries<K, V> extends BulkSet<Map.Entry<K, V>> {
  private final StateMap<K, V> map;

  MapEntries(StateMap<K, V> map) {
    this.map = map;
  }

  @Override
  public VersionedState state() {
    return map.state();
  }

  @Override
  public int size() {
    return map.size();
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
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return map.iterator(this::entry);
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return map.spliterator(this::entry, Spliterator.DISTINCT);
  }

  private Map.Entry<K, V> entry(VisibleCursor<K, V> cursor) {
    return new WritingEntry<>(map, cursor.key(), cursor.value());
  }
}
