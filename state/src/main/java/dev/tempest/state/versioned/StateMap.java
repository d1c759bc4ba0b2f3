package dev.tempest.state.versioned;

import dev.tempest.state.Merge;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A declared map over the version that the caller sees.
 *
 * <p>A function given to {@code compute} and its like may use the map itself; its result is written
 * after what it wrote.
 */
final class StateMap<K, V> extends KeyedMap<K, V> {
  private final StoredType<K> keys;
  private final StoredType<V> values;

  StateMap(VersionedState state, KeyedObject<K, V> object) {
    super(state, object);
    this.keys = object.keys;
    this.values = object.values;
  }

  @Override
  public int size() {
    return state.keyed(object).sizeAt(state.nowMillis());
  }

  @Override
  public boolean containsKey(Object key) {
    K query = keys.asQuery(key);
    return query != null && isThere(query, state.keyed(object, query).entries().get(query));
  }

  @Override
  public boolean containsValue(Object value) {
    V query = values.asQuery(value);
    VisibleCursor<K> cursor = cursor();
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
    VisibleCursor<K> cursor = cursor();
    while (cursor.advance()) {
      action.accept(keyOf(cursor), valueOf(cursor));
    }
  }

  @Override
  @SuppressWarnings("unchecked") // What is shared and nothing special is a value.
  public @Nullable V get(Object key) {
    K query = keys.asQuery(key);
    if (query == null) {
      return null;
    }
    Keyed<K> root = state.keyed(object, query);
    Object slot = root.entries().get(query);
    return object.sharesValues(root) ? (V) slot : outOrNull(visible(query, slot));
  }

  @Override
  public @Nullable V put(K key, V value) {
    K stored = keys.in(key);
    V storedValue = values.in(value);
    return state.write(action -> {
      V old = outOrNull(action.find(object, stored));
      action.put(object, stored, storedValue);
      return old;
    });
  }

  @Override
  public @Nullable V put(K key, V value, Duration timeToLive) {
    long millis = Lifetime.millis(timeToLive);
    if (millis < 1) {
      throw new IllegalArgumentException("a time to live must be at least 1 ms, not " + timeToLive);
    }
    K stored = keys.in(key);
    V storedValue = values.in(value);
    return state.write(action -> {
      V old = outOrNull(action.find(object, stored));
      action.put(object, stored, storedValue, millis);
      return old;
    });
  }

  @Override
  public @Nullable V remove(Object key) {
    K query = keys.asQuery(key);
    return state.write(action -> {
      if (query == null) {
        return null;
      }
      V old = outOrNull(action.find(object, query));
      action.remove(object, keys.in(query));
      return old;
    });
  }

  @Override
  public void clear() {
    state.write(action -> {
      action.clear(object);
      return null;
    });
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    K stored = keys.in(key);
    V storedValue = values.in(value);
    return state.write(action -> {
      V old = action.find(object, stored);
      if (old == null) {
        action.putIf(object, stored, null, storedValue);
      }
      return outOrNull(old);
    });
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    return state.write(action -> {
      K query = keys.asQuery(key);
      V expected = value == null ? null : values.asQuery(value);
      V old = query == null ? null : action.find(object, query);
      if (query == null || old == null || expected == null || !values.isSame(old, expected)) {
        return false;
      }
      action.removeIf(object, keys.in(query), old);
      return true;
    });
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    K stored = keys.in(key);
    V expected = values.asQuery(oldValue);
    V storedValue = values.in(newValue);
    return state.write(action -> {
      V old = action.find(object, stored);
      if (old == null || expected == null || !values.isSame(old, expected)) {
        return false;
      }
      action.putIf(object, stored, old, storedValue);
      return true;
    });
  }

  @Override
  public @Nullable V replace(K key, V value) {
    K stored = keys.in(key);
    V storedValue = values.in(value);
    return state.write(action -> {
      V old = outOrNull(action.find(object, stored));
      if (old != null) {
        action.put(object, stored, storedValue);
      }
      return old;
    });
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    V there = state.isWriting() ? null : get(stored);
    if (there != null) {
      return there; // The usual case waits for nobody.
    }
    return state.write(action -> {
      V old = action.find(object, stored);
      if (old != null) {
        return values.out(old);
      }
      V value = function.apply(key);
      if (value != null) {
        action.putIf(object, stored, null, values.in(value));
      }
      return value;
    });
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    return state.write(action -> {
      V old = action.find(object, stored);
      return old == null ? null : putOrRemove(action, stored, function.apply(key, values.out(old)));
    });
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    return state.write(action -> {
      V old = action.find(object, stored);
      V value = function.apply(key, outOrNull(old));
      return old == null && value == null ? null : putOrRemove(action, stored, value);
    });
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    V operand = values.in(value);
    return state.write(action -> {
      V old = action.find(object, stored);
      V merged = old == null ? value : function.apply(values.out(old), value);
      if (merged != null && function instanceof Merge<?> registered) {
        EntryLimit.require(object, stored, values.in(merged)); // Refuses what cannot be stored.
        action.merge(object, stored, registered, operand);
        return merged;
      }
      return putOrRemove(action, stored, merged);
    });
  }

  @Override
  public Set<K> keySet() {
    return new MapKeys<>(this);
  }

  @Override
  boolean removeKey(Object key) {
    return state.write(action -> {
      K query = keys.asQuery(key);
      if (query == null) {
        return false;
      }
      boolean wasThere = action.has(object, query);
      action.remove(object, keys.in(query));
      return wasThere;
    });
  }

  @Override
  boolean containsEntry(Object key, Object value) {
    V stored = stored(key);
    V query = values.asQuery(value);
    return stored != null && query != null && values.isSame(stored, query);
  }

  @Override
  VisibleCursor<K> cursor() {
    return new VisibleCursor<>(state.keyed(object), state.nowMillis());
  }

  @Override
  <T> Iterator<T> iterator(Function<Cursor<K, Object>, T> out) {
    return new VisibleIterator<>(this, cursor(), out);
  }

  @Override
  Spliterator<K> keySpliterator() {
    return spliterator(this::keyOf, Spliterator.DISTINCT);
  }

  @Override
  Spliterator<V> valueSpliterator() {
    return spliterator(this::valueOf, 0);
  }

  @Override
  Spliterator<Map.Entry<K, V>> entrySpliterator() {
    return spliterator(this::entryOf, Spliterator.DISTINCT);
  }

  private <T> Spliterator<T> spliterator(Function<Cursor<K, Object>, T> out, int others) {
    return new LateSpliterator<>(
        () -> {
          Keyed<K> root = state.keyed(object);
          long nowMillis = state.nowMillis();
          return Spliterators.spliterator(
              new VisibleIterator<>(this, new VisibleCursor<>(root, nowMillis), out),
              root.sizeAt(nowMillis),
              Spliterator.NONNULL | others);
        },
        others);
  }

  private @Nullable V stored(Object key) {
    K query = keys.asQuery(key);
    if (query == null) {
      return null;
    }
    return visible(query, state.keyed(object, query).entries().get(query));
  }

  private @Nullable V visible(K key, @Nullable Object slot) {
    return slot != null && isThere(key, slot) ? object.value(slot) : null;
  }

  /** What is read is used: others hear of it now and then, so that it lives on everywhere. */
  private boolean isThere(K key, @Nullable Object slot) {
    if (!(slot instanceof Lease lease)) {
      return slot != null;
    }
    long nowMillis = state.nowMillis();
    boolean isThere = !lease.isOver(nowMillis);
    if (isThere && lease.isWorthTouching(nowMillis)) {
      state.used(object, keys.in(key));
    }
    return isThere;
  }

  private @Nullable V outOrNull(@Nullable V stored) {
    return stored == null ? null : values.out(stored);
  }

  private @Nullable V putOrRemove(VersionedAction action, K key, @Nullable V value) {
    if (value == null) {
      action.remove(object, key);
    } else {
      action.put(object, key, values.in(value));
    }
    return value;
  }
}
