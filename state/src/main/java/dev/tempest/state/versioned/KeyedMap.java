package dev.tempest.state.versioned;

import dev.tempest.state.TimedMap;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** What all maps over the version that the caller sees do alike, whatever their order. */
abstract sealed class KeyedMap<K, V> extends AbstractMap<K, V>
    implements TimedMap<K, V>, KeyedCollection<K, V> permits StateMap, StateSortedMap {
  final VersionedState state;
  final KeyedObject<K, V> object;

  KeyedMap(VersionedState state, KeyedObject<K, V> object) {
    this.state = state;
    this.object = object;
  }

  /** Over the entries that the caller sees now. */
  abstract Cursor<K, Object> cursor();

  /** As {@link #cursor}. */
  abstract <T> Iterator<T> iterator(Function<Cursor<K, Object>, T> out);

  /** Whether this very entry is there. */
  abstract boolean containsEntry(Object key, Object value);

  /** Removes an entry whose value nobody asks for; false if there is none. */
  abstract boolean removeKey(Object key);

  /** Over the keys that the caller sees when it is first used. */
  abstract Spliterator<K> keySpliterator();

  /** As {@link #keySpliterator}. */
  abstract Spliterator<V> valueSpliterator();

  /** As {@link #keySpliterator}. */
  abstract Spliterator<Map.Entry<K, V>> entrySpliterator();

  @Override
  public final VersionedState state() {
    return state;
  }

  @Override
  public final KeyedObject<K, V> object() {
    return object;
  }

  @Override
  public final V getOrDefault(Object key, V defaultValue) {
    V found = get(key);
    return found == null ? defaultValue : found;
  }

  @Override
  public final void putAll(Map<? extends K, ? extends V> entries) {
    state.atOnce(action -> {
      super.putAll(entries);
      return true;
    });
  }

  @Override
  public final void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function);
    state.atOnce(action -> {
      Cursor<K, Object> cursor = cursor();
      while (cursor.advance()) {
        V value = function.apply(keyOf(cursor), valueOf(cursor));
        action.put(object, cursor.key(), object.values.in(value));
      }
      return true;
    });
  }

  /** Removes, in one action, all entries that a condition holds for. */
  final boolean removeEntries(Predicate<? super Cursor<K, Object>> condition) {
    return state.atOnce(action -> {
      boolean removed = false;
      Cursor<K, Object> cursor = cursor();
      while (cursor.advance()) {
        if (condition.test(cursor)) {
          action.remove(object, cursor.key());
          removed = true;
        }
      }
      return removed;
    });
  }

  /** Removes the first entry with a value of the same contents; false if there is none. */
  final boolean removeValue(Object doomed) {
    V query = object.values.asQuery(doomed);
    return state.atOnce(action -> {
      Cursor<K, Object> cursor = cursor();
      while (query != null && cursor.advance()) {
        if (object.isAsExpected(cursor.value(), query)) {
          action.remove(object, cursor.key());
          return true;
        }
      }
      return false;
    });
  }

  @Override
  public final Collection<V> values() {
    return new MapValues<>(this);
  }

  @Override
  public final Set<Map.Entry<K, V>> entrySet() {
    return new MapEntries<>(this);
  }

  final K keyOf(Cursor<K, Object> entry) {
    return object.keys.out(entry.key());
  }

  final V valueOf(Cursor<K, Object> entry) {
    return object.values.out(object.value(entry.value()));
  }

  /** An entry through which the map can be written to. */
  final Map.Entry<K, V> entryOf(Cursor<K, Object> entry) {
    return new WritingEntry<>(this, keyOf(entry), valueOf(entry));
  }
}
