package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;

/** The entries of a sorted map, or of a range of it. */
final class SortedEntries<K, V> extends BulkSet<Map.Entry<K, V>> {
  private final StateSortedMap<K, V> map;

  SortedEntries(StateSortedMap<K, V> map) {
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
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(Object candidate) {
    return candidate instanceof Map.Entry<?, ?> entry && map.containsEntry(entry);
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
    return map.iterator(map::writingEntryOf);
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return map.spliterator(
        map::writingEntryOf,
        Spliterator.DISTINCT | Spliterator.SORTED,
        Map.Entry.comparingByKey(map.order()));
  }
}
