package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.Spliterator;

/** The values of a map. */
final class MapValues<K, V> extends BulkCollection<V> {
  private final StateMap<K, V> map;

  MapValues(StateMap<K, V> map) {
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
  public boolean contains(Object value) {
    return map.containsValue(value);
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<V> iterator() {
    return map.iterator(VisibleCursor::value);
  }

  @Override
  public Spliterator<V> spliterator() {
    return map.spliterator(VisibleCursor::value, 0);
  }
}
