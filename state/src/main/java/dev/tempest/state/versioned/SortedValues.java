package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.Spliterator;

/** The values of a sorted map, or of a range of it, in the order of their keys. */
final class SortedValues<K, V> extends BulkCollection<V> {
  private final StateSortedMap<K, V> map;

  SortedValues(StateSortedMap<K, V> map) {
    this.map = map;
  }

  @Override
  VersionedState state() {
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
  public boolean contains(Object value) {
    return map.containsValue(value);
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<V> iterator() {
    return map.iterator(map::valueOf);
  }

  @Override
  public Spliterator<V> spliterator() {
    return map.spliterator(map::valueOf, 0, null);
  }
}
