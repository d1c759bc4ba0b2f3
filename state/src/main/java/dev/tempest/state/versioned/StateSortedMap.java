package dev.tempest.state.versioned;

import java.time.Duration;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A declared sorted map over the version that the caller sees; or a range of it, in either
 * direction, which holds bounds and no entries.
 *
 * <p>What is about one key is done by a {@link StateMap} over the same object, once the key is
 * known to lie within the range.
 */
final class StateSortedMap<K, V> extends KeyedMap<K, V> implements ConcurrentNavigableMap<K, V> {
  private static final int BY_KEY = Spliterator.DISTINCT | Spliterator.SORTED;

  private final StateMap<K, V> map;
  private final KeyRange<K> range;
  private final boolean descending;

  StateSortedMap(VersionedState state, KeyedObject<K, V> object) {
    this(new StateMap<>(state, object), KeyRange.all(object.keys::compare), false);
  }

  private StateSortedMap(StateMap<K, V> map, KeyRange<K> range, boolean descending) {
    super(map.state, map.object);
    this.map = map;
    this.range = range;
    this.descending = descending;
  }

  @Override
  public boolean isPart() {
    return range.low() != null || range.high() != null;
  }

  @Override
  public int size() {
    return isPart() ? range().size() : map.size();
  }

  @Override
  public boolean isEmpty() {
    return isPart() ? range.lowest(tree()) == null : map.isEmpty();
  }

  @Override
  public boolean containsKey(Object key) {
    return isWithin(key) && map.containsKey(key);
  }

  @Override
  public boolean containsValue(Object value) {
    V query = object.values.asQuery(value);
    TreeCursor<K, Object> cursor = cursor();
    while (query != null && cursor.advance()) {
      if (object.isAsExpected(cursor.value(), query)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action);
    TreeCursor<K, Object> cursor = cursor();
    while (cursor.advance()) {
      action.accept(keyOf(cursor), valueOf(cursor));
    }
  }

  @Override
  public @Nullable V get(Object key) {
    return isWithin(key) ? map.get(key) : null;
  }

  @Override
  public @Nullable V put(K key, V value) {
    range.require(requireKey(key));
    return map.put(key, value);
  }

  @Override
  public @Nullable V put(K key, V value, Duration timeToLive) {
    range.require(requireKey(key));
    return map.put(key, value, timeToLive);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    range.require(requireKey(key));
    return map.putIfAbsent(key, value);
  }

  @Override
  public @Nullable V remove(Object key) {
    return isWithin(key) ? map.remove(key) : nothing();
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    return isWithin(key) ? map.remove(key, value) : nothing() != null;
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    range.require(requireKey(key));
    return map.replace(key, oldValue, newValue);
  }

  @Override
  public @Nullable V replace(K key, V value) {
    range.require(requireKey(key));
    return map.replace(key, value);
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    if (isWithin(requireKey(key)) || function.apply(key) != null) {
      range.require(key);
      return map.computeIfAbsent(key, function);
    }
    return nothing();
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    return isWithin(key) ? map.computeIfPresent(key, Objects.requireNonNull(function)) : nothing();
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    if (isWithin(requireKey(key)) || function.apply(key, null) != null) {
      range.require(key);
      return map.compute(key, function);
    }
    return nothing();
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    range.require(requireKey(key));
    return map.merge(key, value, function);
  }

  @Override
  public void clear() {
    state.write(action -> {
      TreeCursor<K, Object> cursor = cursor();
      while (cursor.advance()) {
        action.remove(object, cursor.key());
      }
      return null;
    });
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    Comparator<? super K> natural = object.keys.isOrdered() ? null : range.order();
    return descending ? Collections.reverseOrder(natural) : natural;
  }

  @Override
  public K firstKey() {
    return keyOf(present(edge(tree(), descending)));
  }

  @Override
  public K lastKey() {
    return keyOf(present(edge(tree(), !descending)));
  }

  @Override
  public Map.@Nullable Entry<K, V> firstEntry() {
    return entryOrNull(edge(tree(), descending));
  }

  @Override
  public Map.@Nullable Entry<K, V> lastEntry() {
    return entryOrNull(edge(tree(), !descending));
  }

  @Override
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return poll(descending);
  }

  @Override
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return poll(!descending);
  }

  @Override
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return entryOrNull(near(key, !descending, false));
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return keyOrNull(near(key, !descending, false));
  }

  @Override
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return entryOrNull(near(key, !descending, true));
  }

  @Override
  public @Nullable K floorKey(K key) {
    return keyOrNull(near(key, !descending, true));
  }

  @Override
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return entryOrNull(near(key, descending, true));
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return keyOrNull(near(key, descending, true));
  }

  @Override
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return entryOrNull(near(key, descending, false));
  }

  @Override
  public @Nullable K higherKey(K key) {
    return keyOrNull(near(key, descending, false));
  }

  @Override
  public StateSortedMap<K, V> descendingMap() {
    return new StateSortedMap<>(map, range, !descending);
  }

  @Override
  public StateSortedMap<K, V> subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return part(object.keys.in(from), fromInclusive, object.keys.in(to), toInclusive);
  }

  @Override
  public StateSortedMap<K, V> headMap(K to, boolean inclusive) {
    return part(null, false, object.keys.in(to), inclusive);
  }

  @Override
  public StateSortedMap<K, V> tailMap(K from, boolean inclusive) {
    return part(object.keys.in(from), inclusive, null, false);
  }

  @Override
  public StateSortedMap<K, V> subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public StateSortedMap<K, V> headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public StateSortedMap<K, V> tailMap(K from) {
    return tailMap(from, true);
  }

  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return new SortedKeys<>(this);
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return new SortedKeys<>(descendingMap());
  }

  @Override
  boolean removeKey(Object key) {
    return isWithin(key) ? map.removeKey(key) : nothing() != null;
  }

  @Override
  boolean containsEntry(Object key, Object value) {
    return isWithin(key) && map.containsEntry(key, value);
  }

  @Override
  TreeCursor<K, Object> cursor() {
    return range().cursor();
  }

  @Override
  <T> Iterator<T> iterator(Function<Cursor<K, Object>, T> out) {
    return new RangeIterator<>(map, cursor(), out);
  }

  @Override
  Spliterator<K> keySpliterator() {
    return new RangeSpliterator<>(this::range, this::keyOf, BY_KEY, comparator());
  }

  @Override
  Spliterator<V> valueSpliterator() {
    return new RangeSpliterator<>(this::range, this::valueOf, 0, null);
  }

  @Override
  Spliterator<Map.Entry<K, V>> entrySpliterator() {
    Comparator<? super K> order =
        descending ? Collections.reverseOrder(range.order()) : range.order();
    return new RangeSpliterator<>(
        this::range, this::entryOf, BY_KEY, Map.Entry.comparingByKey(order));
  }

  private K keyOf(TreeNode<K, Object> node) {
    return object.keys.out(node.key);
  }

  private Map.Entry<K, V> entryOf(TreeNode<K, Object> node) {
    return new AbstractMap.SimpleImmutableEntry<>(
        keyOf(node), object.values.out(object.value(node.value)));
  }

  private @Nullable K keyOrNull(@Nullable TreeNode<K, Object> node) {
    return node == null ? null : keyOf(node);
  }

  private Map.@Nullable Entry<K, V> entryOrNull(@Nullable TreeNode<K, Object> node) {
    return node == null ? null : entryOf(node);
  }

  private static <N> N present(@Nullable N node) {
    if (node == null) {
      throw new NoSuchElementException("there is no entry");
    }
    return node;
  }

  /** What the caller sees now. What is over has no place in it, so that places can be counted. */
  private SortedTree<K, Object> tree() {
    return state.keyed(object).sortedAt(state.nowMillis());
  }

  /** The entries of this map that the caller sees now. */
  private TreeRange<K, Object> range() {
    SortedTree<K, Object> tree = tree();
    return new TreeRange<>(tree, range.fromIndex(tree), range.toIndex(tree), descending);
  }

  private @Nullable TreeNode<K, Object> edge(SortedTree<K, Object> tree, boolean high) {
    return high ? range.highest(tree) : range.lowest(tree);
  }

  private @Nullable TreeNode<K, Object> near(K key, boolean below, boolean inclusive) {
    K query = requireKey(key);
    SortedTree<K, Object> tree = tree();
    return below ? range.below(tree, query, inclusive) : range.above(tree, query, inclusive);
  }

  private Map.@Nullable Entry<K, V> poll(boolean high) {
    return state.write(action -> {
      TreeNode<K, Object> polled = edge(tree(), high);
      if (polled == null) {
        return null;
      }
      action.remove(object, polled.key);
      return entryOf(polled);
    });
  }

  /** Bounds in the direction of this map. */
  private StateSortedMap<K, V> part(
      @Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    KeyRange<K> part =
        descending
            ? range.narrowed(to, toInclusive, from, fromInclusive)
            : range.narrowed(from, fromInclusive, to, toInclusive);
    return new StateSortedMap<>(map, part, descending);
  }

  private boolean isWithin(Object key) {
    K query = object.keys.asQuery(key);
    return query != null && range.contains(query);
  }

  private K requireKey(K key) {
    K query = object.keys.asQuery(key);
    return query == null ? object.keys.in(key) : query; // Says what is wrong with its class.
  }

  /** What a write outside of the range does; where writing is refused, it is refused too. */
  private @Nullable V nothing() {
    return state.write(action -> null);
  }
}
