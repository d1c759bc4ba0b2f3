package dev.tempest.state.versioned;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over what the caller saw of a collection when it was made; {@code remove} writes to the
 * collection. Not thread-safe.
 *
 * <p>Each kind of cursor has an iterator of its own, though they look alike: loops that meet one
 * class only are what the compiler makes fast and free of garbage.
 */
abstract class RemovingIterator<K, T> implements Iterator<T> {
  /** The key of what was returned last, until it is removed. */
  @Nullable K last;

  /** Removes what was gone over; nothing if another has done so. */
  abstract void removeSeen(K key);

  @Override
  public final void remove() {
    K removed = last;
    if (removed == null) {
      throw new IllegalStateException("there is nothing to remove: call next() first");
    }
    last = null;
    removeSeen(removed);
  }
}
