package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.Spliterator;

/** The keys of a map as a set from which they can be removed. Asks for no value. */
class MapKeys<K, V> extends BulkSet<K> {
  final StateMap<K, V> map;

  MapKeys(StateMap<K, V> map) {
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
  public boolean contains(Object key) {
    return map.containsKey(key);
  }

  @Override
  public boolean remove(Object key) {
    return map.removeKey(key);
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<K> iterator() {
    return map.iterator(VisibleCursor::key);
  }

  @Override
  public Spliterator<K> spliterator() {
    return map.spliterator(VisibleCursor::key, Spliterator.DISTINCT);
  }
}
