package dev.tempest.state;

import dev.tempest.state.TrieObject.Removed;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A declared map as the service holds it, over the version of the action that executes.
 *
 * <p>A function given to {@code compute} and its like may use the map itself; its result is written
 * after what it wrote.
 */
final class StateMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  private final State state;
  private final TrieObject<K, V> object;
  private final StoredType<K> keys;
  private final StoredType<V> values;

  StateMap(State state, TrieObject<K, V> object) {
    this.state = state;
    this.object = object;
    this.keys = object.keys;
    this.values = object.values;
  }

  @Override
  public int size() {
    return trie().size();
  }

  @Override
  public boolean isEmpty() {
    return trie().size() == 0;
  }

  @Override
  public boolean containsKey(Object key) {
    return stored(key) != null;
  }

  @Override
  public boolean containsValue(Object value) {
    return super.containsValue(Objects.requireNonNull(value));
  }

  @Override
  public @Nullable V get(Object key) {
    return outOrNull(stored(key));
  }

  @Override
  public V getOrDefault(Object key, V defaultValue) {
    V found = get(key);
    return found == null ? defaultValue : found;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action);
    TrieCursor<K, V> cursor = trie().cursor();
    while (cursor.advance()) {
      action.accept(keys.out(cursor.key()), values.out(cursor.value()));
    }
  }

  @Override
  public @Nullable V put(K key, V value) {
    Action action = state.writing();
    K stored = keys.in(key);
    return outOrNull(store(action, stored, keys.hash(stored), values.in(value)));
  }

  @Override
  public @Nullable V remove(Object key) {
    Action action = state.writing();
    K query = keys.asQuery(key);
    return query == null ? null : outOrNull(erase(action, query, keys.hash(query)));
  }

  @Override
  public void clear() {
    Action action = state.writing();
    TrieCursor<K, V> cursor = action.root(object).cursor();
    while (cursor.advance()) {
      action.write(object, object.emptyRoot(), cursor.key(), Removed.REMOVED);
    }
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    Action action = state.writing();
    K stored = keys.in(key);
    V storedValue = values.in(value);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    if (old == null) {
      store(action, stored, hash, storedValue);
    }
    return outOrNull(old);
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    Action action = state.writing();
    K query = keys.asQuery(key);
    V expected = value == null ? null : values.asQuery(value);
    if (query == null || expected == null) {
      return false;
    }
    int hash = keys.hash(query);
    V old = find(action, query, hash);
    if (old == null || !values.isSame(old, expected)) {
      return false;
    }
    erase(action, query, hash);
    return true;
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Action action = state.writing();
    K stored = keys.in(key);
    V expected = values.asQuery(oldValue);
    V storedValue = values.in(newValue);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    if (old == null || expected == null || !values.isSame(old, expected)) {
      return false;
    }
    store(action, stored, hash, storedValue);
    return true;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    Action action = state.writing();
    K stored = keys.in(key);
    V storedValue = values.in(value);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    if (old != null) {
      store(action, stored, hash, storedValue);
    }
    return outOrNull(old);
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    state.writing();
    Objects.requireNonNull(function);
    TrieCursor<K, V> cursor = trie().cursor();
    while (cursor.advance()) {
      K key = keys.out(cursor.key());
      put(key, function.apply(key, values.out(cursor.value())));
    }
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Action action = state.writing();
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    if (old != null) {
      return values.out(old);
    }
    V value = function.apply(key);
    if (value != null) {
      store(action, stored, hash, values.in(value));
    }
    return value;
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Action action = state.writing();
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    if (old == null) {
      return null;
    }
    return storeOrErase(action, stored, hash, function.apply(key, values.out(old)));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Action action = state.writing();
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    V value = function.apply(key, outOrNull(old));
    if (old == null && value == null) {
      return null;
    }
    return storeOrErase(action, stored, hash, value);
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Action action = state.writing();
    Objects.requireNonNull(value);
    Objects.requireNonNull(function);
    K stored = keys.in(key);
    int hash = keys.hash(stored);
    V old = find(action, stored, hash);
    V merged = old == null ? value : function.apply(values.out(old), value);
    return storeOrErase(action, stored, hash, merged);
  }

  @Override
  public Set<K> keySet() {
    return new KeySet();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new EntrySet();
  }

  private TrieMap<K, V> trie() {
    return state.action().root(object);
  }

  private @Nullable V stored(Object key) {
    TrieMap<K, V> trie = trie();
    K query = keys.asQuery(key);
    return query == null ? null : trie.get(query);
  }

  private @Nullable V outOrNull(@Nullable V stored) {
    return stored == null ? null : values.out(stored);
  }

  private @Nullable V find(Action action, K key, int hash) {
    return action.root(object).get(key, hash);
  }

  /** Looks again: a function of the caller's may have written to the map since the last look. */
  private @Nullable V store(Action action, K key, int hash, V value) {
    TrieMap<K, V> trie = action.root(object);
    V old = trie.get(key, hash);
    if (old == null) {
      trie = trie.insert(key, hash, value);
    } else if (!values.isKnownSame(old, value)) {
      trie = trie.replace(key, hash, value);
    }
    action.write(object, trie, key, value);
    return old;
  }

  private @Nullable V erase(Action action, K key, int hash) {
    TrieMap<K, V> trie = action.root(object);
    V old = trie.get(key, hash);
    if (old != null) {
      trie = trie.removePresent(key, hash);
    }
    action.write(object, trie, keys.in(key), Removed.REMOVED);
    return old;
  }

  private @Nullable V storeOrErase(Action action, K key, int hash, @Nullable V value) {
    if (value == null) {
      erase(action, key, hash);
    } else {
      store(action, key, hash, values.in(value));
    }
    return value;
  }

  private final class KeySet extends AbstractSet<K> {
    @Override
    public int size() {
      return StateMap.this.size();
    }

    @Override
    public boolean contains(Object key) {
      return containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
      return StateMap.this.remove(key) != null;
    }

    @Override
    public void clear() {
      StateMap.this.clear();
    }

    @Override
    public Iterator<K> iterator() {
      Iterator<Map.Entry<K, V>> entries = new Entries(trie().cursor());
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public K next() {
          return entries.next().getKey();
        }

        @Override
        public void remove() {
          entries.remove();
        }
      };
    }
  }

  private final class EntrySet extends AbstractSet<Map.Entry<K, V>> {
    @Override
    public int size() {
      return StateMap.this.size();
    }

    @Override
    public boolean contains(Object candidate) {
      if (!(candidate instanceof Map.Entry<?, ?> entry)) {
        return false;
      }
      V stored = stored(entry.getKey());
      V query = values.asQuery(entry.getValue());
      return stored != null && query != null && values.isSame(stored, query);
    }

    @Override
    public boolean remove(Object candidate) {
      return candidate instanceof Map.Entry<?, ?> entry
          && StateMap.this.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public void clear() {
      StateMap.this.clear();
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new Entries(trie().cursor());
    }
  }

  private final class Entries implements Iterator<Map.Entry<K, V>> {
    private final TrieCursor<K, V> cursor;
    private boolean ahead;
    private @Nullable K last;

    Entries(TrieCursor<K, V> cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean hasNext() {
      ahead = ahead || cursor.advance();
      return ahead;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      ahead = false;
      K key = cursor.key();
      last = key;
      return new WritingEntry(keys.out(key), values.out(cursor.value()));
    }

    @Override
    public void remove() {
      K removed = last;
      if (removed == null) {
        throw new IllegalStateException("there is no entry to remove: call next() first");
      }
      last = null;
      StateMap.this.remove(removed);
    }
  }

  /** An entry as it was when the iterator came by; {@code setValue} writes to the map. */
  private final class WritingEntry implements Map.Entry<K, V> {
    private final K key;
    private V value;

    WritingEntry(K key, V value) {
      this.key = key;
      this.value = value;
    }

    @Override
    public K getKey() {
      return key;
    }

    @Override
    public V getValue() {
      return value;
    }

    @Override
    public V setValue(V newValue) {
      StateMap.this.put(key, newValue);
      V old = value;
      value = newValue;
      return old;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Map.Entry<?, ?> that
          && key.equals(that.getKey())
          && value.equals(that.getValue());
    }

    @Override
    public int hashCode() {
      return key.hashCode() ^ value.hashCode();
    }

    @Override
    public String toString() {
      return key + "=" + value;
    }
  }
}
