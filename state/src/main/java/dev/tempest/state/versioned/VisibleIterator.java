package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over what the caller saw of a map when it was made; {@code remove} writes to the map.
 */
final class VisibleIterator<K, V, T> implements Iterator<T> {
  private final VisibleCursor<K, V> cursor;
  private final Function<VisibleCursor<K, V>, T> out;
  private final Consumer<K> removal;
  private boolean ahead;
  private @Nullable K last;

  VisibleIterator(
      VisibleCursor<K, V> cursor, Function<VisibleCursor<K, V>, T> out, Consumer<K> removal) {
    this.cursor = cursor;
    this.out = out;
    this.removal = removal;
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
    last = cursor.storedKey();
    return out.apply(cursor);
  }

  @Override
  public void remove() {
    K removed = last;
    if (removed == null) {
      throw new IllegalStateException("there is no entry to remove: call next() first");
    }
    last = null;
    removal.accept(removed);
  }
}
