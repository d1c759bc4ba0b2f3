package dev.tempest.state;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a map or set in a version as a read-only map, without a copy of the whole.
 * Immutable and thread-safe.
 */
final class Contents<K, V> extends AbstractMap<K, V> {
  private final TrieObject<K, V> object;
  private final TrieMap<K, V> trie;

  Contents(TrieObject<K, V> object, TrieMap<K, V> trie) {
    this.object = object;
    this.trie = trie;
  }

  @Override
  public int size() {
    return trie.size();
  }

  @Override
  public boolean containsKey(Object key) {
    K query = object.keys.asQuery(key);
    return query != null && trie.get(query) != null;
  }

  @Override
  public @Nullable V get(Object key) {
    K query = object.keys.asQuery(key);
    V stored = query == null ? null : trie.get(query);
    return stored == null ? null : object.values.out(stored);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return trie.size();
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Entries();
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<K, V>> {
    private final TrieCursor<K, V> cursor = trie.cursor();
    private int left = trie.size();

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
      return Map.entry(object.keys.out(cursor.key()), object.values.out(cursor.value()));
    }
  }
}
