package dev.tempest.state.versioned;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a keyed object in a version as a read-only map, without a copy of the whole; what
 * has ended but lies there still is part of it. Immutable and thread-safe.
 */
final class Contents<K, V> extends AbstractMap<K, V> {
  private static final long ALWAYS = Long.MIN_VALUE;

  private final KeyedObject<K, V> object;
  private final Keyed<K> root;

  private Contents(KeyedObject<K, V> object, Keyed<K> root) {
    this.object = object;
    this.root = root;
  }

  /** As what is declared: a map, a set, a list, or for a single value a list of at most one. */
  static <K, V> Object of(KeyedObject<K, V> object, Keyed<K> root) {
    Contents<K, V> contents = new Contents<>(object, root);
    return switch (object.kind) {
      case MAP, SORTED_MAP, COUNTER -> contents;
      case SET, SORTED_SET -> contents.keySet();
      case LIST, DEQUE, VALUE -> contents.inOrder();
    };
  }

  @Override
  public int size() {
    return root.size();
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public @Nullable V get(Object key) {
    K query = object.keys.asQuery(key);
    V stored = query == null ? null : object.visible(root.entries().get(query), ALWAYS);
    return stored == null ? null : object.values.out(stored);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return root.size();
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Walk();
      }
    };
  }

  /** The values of an object that is sorted by its keys. */
  private List<V> inOrder() {
    SortedTree<K, Object> tree = (SortedTree<K, Object>) root.entries();
    return new AbstractList<>() {
      @Override
      public int size() {
        return tree.size();
      }

      @Override
      public V get(int index) {
        V stored = object.visible(tree.at(index).value, ALWAYS);
        if (stored == null) {
          throw new IllegalStateException("nothing is over always");
        }
        return object.values.out(stored);
      }
    };
  }

  private final class Walk implements Iterator<Map.Entry<K, V>> {
    private final Cursor<K, Object> cursor = root.entries().cursor();
    private int left = root.size();

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (left == 0) {
        throw new NoSuchElementException();
      }
      left--;
      cursor.advance();
      return Map.entry(
          object.keys.out(cursor.key()), object.values.out(object.value(cursor.value())));
    }
  }
}
