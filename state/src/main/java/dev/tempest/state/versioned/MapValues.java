package dev.tempest.state.versioned;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Predicate;

/** The values of a map, in the order of its keys: what is done to many of them is one action. */
final class MapValues<K, V> extends AbstractCollection<V> {
  private final KeyedMap<K, V> map;

  MapValues(KeyedMap<K, V> map) {
    this.map = map;
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
  public boolean remove(Object doomed) {
    return map.removeValue(doomed);
  }

  @Override
  public boolean removeIf(Predicate<? super V> filter) {
    return map.state.atOnce(action -> super.removeIf(filter));
  }

  @Override
  public boolean removeAll(Collection<?> doomed) {
    Queries<V> queries = Queries.of(map.object.values, doomed);
    return map.removeEntries(entry -> map.object.isOneOf(queries, entry.value()));
  }

  @Override
  public boolean retainAll(Collection<?> kept) {
    Queries<V> queries = Queries.of(map.object.values, kept);
    return map.removeEntries(entry -> map.object.isNoneOf(queries, entry.value()));
  }

  @Override
  public Iterator<V> iterator() {
    return map.iterator(map::valueOf);
  }

  @Override
  public Spliterator<V> spliterator() {
    return map.valueSpliterator();
  }
}
