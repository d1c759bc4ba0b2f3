package dev.tempest.state.versioned;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** The keys of a sorted map, or of a range of it, as a set from which they can be removed. */
class SortedKeys<K, V> extends MapKeys<K, V, StateSortedMap<K, V>> implements NavigableSet<K> {
  SortedKeys(StateSortedMap<K, V> map) {
    super(map);
  }

  /** The keys of another range as a set like this. */
  SortedKeys<K, V> of(StateSortedMap<K, V> range) {
    return new SortedKeys<>(range);
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return map.comparator();
  }

  @Override
  public K first() {
    return map.firstKey();
  }

  @Override
  public K last() {
    return map.lastKey();
  }

  @Override
  public @Nullable K lower(K key) {
    return map.lowerKey(key);
  }

  @Override
  public @Nullable K floor(K key) {
    return map.floorKey(key);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return map.ceilingKey(key);
  }

  @Override
  public @Nullable K higher(K key) {
    return map.higherKey(key);
  }

  @Override
  public @Nullable K pollFirst() {
    Map.Entry<K, V> polled = map.pollFirstEntry();
    return polled == null ? null : polled.getKey();
  }

  @Override
  public @Nullable K pollLast() {
    Map.Entry<K, V> polled = map.pollLastEntry();
    return polled == null ? null : polled.getKey();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return of(map.descendingMap());
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return of(map.subMap(from, fromInclusive, to, toInclusive));
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return of(map.headMap(to, inclusive));
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return of(map.tailMap(from, inclusive));
  }

  @Override
  public NavigableSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<K> tailSet(K from) {
    return tailSet(from, true);
  }
}
