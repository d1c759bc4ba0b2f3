package dev.tempest.state.versioned;

import java.util.Collection;
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
  public boolean retainAll(Collection<?> kept) {
    TrieMap<K, Queries<V>> queries = queries(kept);
    Queries<V> none = Queries.none(map.object.values);
    return map.removeEntries(entry -> {
      Queries<V> ofKey = queries.get(map.object.keys.readable(entry.key()));
      return map.object.isNoneOf(ofKey == null ? none : ofKey, entry.value());
    });
  }

  /** The values that are looked for, by their keys. */
  private TrieMap<K, Queries<V>> queries(Collection<?> candidates) {
    TrieMap<K, Queries<V>> queries = TrieMap.empty(map.object.keys.type());
    for (Object candidate : candidates) {
      Object key = candidate instanceof Map.Entry<?, ?> entry ? entry.getKey() : null;
      K query = key == null ? null : map.object.keys.asQuery(key);
      if (query != null) {
        Queries<V> known = queries.get(query);
        Queries<V> values = known == null ? Queries.none(map.object.values) : known;
        queries = queries.put(query, known, values.and(((Map.Entry<?, ?>) candidate).getValue()));
      }
    }
    return queries;
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
