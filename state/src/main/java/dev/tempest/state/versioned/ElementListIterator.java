package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Elements.View;
import java.util.ListIterator;
import java.util.NoSuchElementException;

/**
 * Walks over the elements of the moment when it was made, and over what was written through it
 * since. Writes go to the elements that it went over, wherever they stand by then. Not thread-safe.
 */
final class ElementListIterator<E> implements ListIterator<E> {
  private static final int NONE = -1;

  private final Elements<E> elements;
  private View<E> view;
  private int next;

  /** The index of the element that was returned last. */
  private int last = NONE;

  ElementListIterator(Elements<E> elements, View<E> view, int next) {
    this.elements = elements;
    this.view = view;
    this.next = next;
  }

  @Override
  public boolean hasNext() {
    return next < view.size();
  }

  @Override
  public E next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    E element = view.get(next);
    last = next;
    next++;
    return element;
  }

  @Override
  public boolean hasPrevious() {
    return next > 0;
  }

  @Override
  public E previous() {
    if (!hasPrevious()) {
      throw new NoSuchElementException();
    }
    E element = view.get(next - 1);
    next--;
    last = next;
    return element;
  }

  @Override
  public int nextIndex() {
    return next;
  }

  @Override
  public int previousIndex() {
    return next - 1;
  }

  @Override
  public void remove() {
    Position removed = lastPosition("remove");
    elements.removeSeen(removed);
    view = view.without(removed);
    if (last < next) {
      next--;
    }
    last = NONE;
  }

  /**
   * {@inheritDoc}
   *
   * @throws java.util.ConcurrentModificationException if the element was removed since
   */
  @Override
  public void set(E element) {
    Position replaced = lastPosition("replace");
    E stored = elements.in(element);
    elements.replaceSeen(replaced, stored);
    view = view.with(replaced, stored);
  }

  @Override
  public void add(E element) {
    E stored = elements.in(element);
    View<E> seen = view;
    Position added = elements.write((action, now) -> elements.insert(action, seen, next, stored));
    view = view.with(added, stored);
    next++;
    last = NONE;
  }

  private Position lastPosition(String what) {
    if (last == NONE) {
      throw new IllegalStateException(
          "there is no element to " + what + ": call next() or previous() first");
    }
    return view.position(last);
  }
}
