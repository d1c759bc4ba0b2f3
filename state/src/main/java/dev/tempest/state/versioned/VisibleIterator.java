package dev.tempest.state.versioned;

import java.util.NoSuchElementException;
import java.util.function.Function;

/** Iterates over the entries of a map. */
final class VisibleIterator<K, T> extends RemovingIterator<K, T> {
  private final StateMap<K, ?> map;
  private final VisibleCursor<K> cursor;
  private final Function<Cursor<K, Object>, T> out;
  private boolean ahead;

  VisibleIterator(StateMap<K, ?> map, VisibleCursor<K> cursor, Function<Cursor<K, Object>, T> out) {
    this.map = map;
    this.cursor = cursor;
    this.out = out;
  }

  @Override
  public boolean hasNext() {
    ahead = ahead || cursor.advance();
    return ahead;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ahead = false;
    last = cursor.key();
    return out.apply(cursor);
  }

  @Override
  void removeSeen(K key) {
    map.removeKey(key);
  }
}
