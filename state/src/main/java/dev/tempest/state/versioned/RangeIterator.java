package dev.tempest.state.versioned;

import java.util.NoSuchElementException;
import java.util.function.Function;

/** Iterates over the entries of a sorted map, or of a range of it. */
final class RangeIterator<K, T> extends RemovingIterator<K, T> {
  private final StateMap<K, ?> map;
  private final TreeCursor<K, Object> cursor;
  private final Function<Cursor<K, Object>, T> out;

  /** Removes from the whole map, which knows the keys that are seen. */
  RangeIterator(
      StateMap<K, ?> map, TreeCursor<K, Object> cursor, Function<Cursor<K, Object>, T> out) {
    this.map = map;
    this.cursor = cursor;
    this.out = out;
  }

  @Override
  public boolean hasNext() {
    return cursor.left() > 0;
  }

  @Override
  public T next() {
    if (!cursor.advance()) {
      throw new NoSuchElementException();
    }
    last = cursor.key();
    return out.apply(cursor);
  }

  @Override
  void removeSeen(K key) {
    map.removeKey(key);
  }
}
