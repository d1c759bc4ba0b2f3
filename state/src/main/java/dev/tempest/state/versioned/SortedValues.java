package dev.tempest.state.versioned;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Predicate;

/** The values of a sorted map, or of a range of it, in the order of their keys. */
final class SortedValues<K, V> extends AbstractCollection<V> {
  private final StateSortedMap<K, V> map;

  SortedValues(StateSortedMap<K, V> map) {
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
  public boolean removeIf(Predicate<? super V> filter) {
    return map.atOnce(() -> super.removeIf(filter));
  }

  @Override
  public boolean removeAll(Collection<?> doomed) {
    return map.atOnce(() -> super.removeAll(doomed));
  }

  @Override
  public boolean retainAll(Collection<?> kept) {
    return map.atOnce(() -> super.retainAll(kept));
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
