package dev.tempest.state.versioned;

import java.util.NoSuchElementException;

/** Iterates over elements; removes one wherever it stands by then. */
final class ElementIterator<E> extends RemovingIterator<Position, E> {
  private final Elements<E> elements;
  private final TreeCursor<Position, Object> cursor;

  ElementIterator(Elements<E> elements, TreeCursor<Position, Object> cursor) {
    this.elements = elements;
    this.cursor = cursor;
  }

  @Override
  public boolean hasNext() {
    return cursor.left() > 0;
  }

  @Override
  public E next() {
    if (!cursor.advance()) {
      throw new NoSuchElementException();
    }
    last = cursor.key();
    return elements.out(cursor.value());
  }

  @Override
  void removeSeen(Position position) {
    elements.removeSeen(position);
  }
}
