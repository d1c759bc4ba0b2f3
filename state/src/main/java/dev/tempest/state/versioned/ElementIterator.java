package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the elements of the moment when it was made; {@code remove} removes the element that
 * it went over wherever it stands by then. Not thread-safe.
 */
final class ElementIterator<E> implements Iterator<E> {
  private final Elements<E> elements;
  private final Cursor<Position, Object> cursor;
  private boolean ahead;
  private @Nullable Position last;

  ElementIterator(Elements<E> elements, Cursor<Position, Object> cursor) {
    this.elements = elements;
    this.cursor = cursor;
  }

  @Override
  public boolean hasNext() {
    ahead = ahead || cursor.advance();
    return ahead;
  }

  @Override
  public E next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ahead = false;
    last = cursor.key();
    return elements.out(cursor.value());
  }

  @Override
  public void remove() {
    Position removed = last;
    if (removed == null) {
      throw new IllegalStateException("there is no element to remove: call next() first");
    }
    last = null;
    elements.removeSeen(removed);
  }
}
