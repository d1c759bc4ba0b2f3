package dev.tempest.state.versioned;

import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;

/** The keys of a map as a set from which they can be removed. Asks for no value. */
class MapKeys<K, V, M extends KeyedMap<K, V>> extends BulkSet<K, M> {
  MapKeys(M map) {
    super(map);
  }

  @Override
  public final boolean contains(Object key) {
    return map.containsKey(key);
  }

  @Override
  public final boolean remove(Object key) {
    return map.removeKey(key);
  }

  @Override
  public final boolean retainAll(Collection<?> kept) {
    Queries<K> queries = Queries.of(map.object.keys, kept);
    // As with values, one that cannot be read is not removed as another one: keyOf throws.
    return map.removeEntries(entry -> !queries.contain(entry.key()) && map.keyOf(entry) != null);
  }

  @Override
  public final Iterator<K> iterator() {
    return map.iterator(map::keyOf);
  }

  @Override
  public final Spliterator<K> spliterator() {
    return map.keySpliterator();
  }
}
