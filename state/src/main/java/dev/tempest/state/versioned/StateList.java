package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Elements.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A declared list, or a part of one, over the version that the caller sees.
 *
 * <p>A part is what lies between the two elements that stood around it when it was made. So it
 * stays meaningful whatever is inserted or removed elsewhere, by whomever.
 *
 * <p>Not {@code RandomAccess}: an index costs the logarithm of the size, a step of an iterator does
 * not.
 */
final class StateList<E> extends StateSequence<E> implements List<E> {
  StateList(Elements<E> elements) {
    super(elements);
  }

  @Override
  public E get(int index) {
    View<E> view = elements.view();
    return view.get(Objects.checkIndex(index, view.size()));
  }

  @Override
  public E getFirst() {
    View<E> view = elements.view();
    return view.get(first(view));
  }

  @Override
  public E getLast() {
    View<E> view = elements.view();
    return view.get(last(view));
  }

  @Override
  public int indexOf(@Nullable Object candidate) {
    return elements.view().indexOf(candidate);
  }

  @Override
  public int lastIndexOf(@Nullable Object candidate) {
    return elements.view().lastIndexOf(candidate);
  }

  @Override
  public boolean add(E element) {
    E stored = elements.in(element);
    elements.write((action, view) -> elements.insert(action, view, view.size(), stored));
    return true;
  }

  @Override
  public void add(int index, E element) {
    E stored = elements.in(element);
    elements.write(
        (action, view) -> elements.insert(action, view, checkPlace(index, view), stored));
  }

  @Override
  public boolean addAll(Collection<? extends E> added) {
    List<E> stored = elements.in(added);
    return elements.write((action, view) -> elements.insertAll(action, view, view.size(), stored));
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> added) {
    List<E> stored = elements.in(added);
    return elements.write(
        (action, view) -> elements.insertAll(action, view, checkPlace(index, view), stored));
  }

  @Override
  public E set(int index, E element) {
    E stored = elements.in(element);
    return elements.write((action, view) -> {
      E old = view.get(Objects.checkIndex(index, view.size()));
      action.put(elements.object(), view.position(index), stored);
      return old;
    });
  }

  @Override
  public E remove(int index) {
    return elements.write(
        (action, view) -> elements.remove(action, view, Objects.checkIndex(index, view.size())));
  }

  @Override
  public E removeFirst() {
    return elements.write((action, view) -> elements.remove(action, view, first(view)));
  }

  @Override
  public E removeLast() {
    return elements.write((action, view) -> elements.remove(action, view, last(view)));
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    Objects.requireNonNull(operator);
    elements.write((action, view) -> {
      List<E> computed = list(view);
      computed.replaceAll(operator);
      elements.replaceAll(action, view, elements.in(computed));
      return null;
    });
  }

  /** Puts all elements anew, also those in place: of two sorts at a time the last one counts. */
  @Override
  public void sort(@Nullable Comparator<? super E> order) {
    elements.write((action, view) -> {
      List<Sorted<E>> sorted = new ArrayList<>(view.size());
      Cursor<Position, Object> cursor = view.cursor();
      while (cursor.advance()) {
        E stored = elements.object().value(cursor.value());
        sorted.add(new Sorted<>(elements.object().values.out(stored), stored));
      }
      sorted.sort(Comparator.comparing(Sorted::shown, order == null ? natural() : order));
      elements.replaceAll(action, view, sorted.stream().map(Sorted::stored).toList());
      return null;
    });
  }

  @SuppressWarnings("unchecked") // As List.sort: a ClassCastException tells who has no order.
  private static <E> Comparator<? super E> natural() {
    return (Comparator<? super E>) Comparator.naturalOrder();
  }

  /** What is stored, and a copy of it which the comparator may do with what it likes. */
  private record Sorted<E>(E shown, E stored) {}

  @Override
  public ListIterator<E> listIterator() {
    return new ElementListIterator<>(elements, elements.view(), 0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    View<E> view = elements.view();
    return new ElementListIterator<>(elements, view, checkPlace(index, view));
  }

  @Override
  public List<E> subList(int fromIndex, int toIndex) {
    View<E> view = elements.view();
    Objects.checkFromToIndex(fromIndex, toIndex, view.size());
    return new StateList<>(view.part(fromIndex, toIndex));
  }

  @Override
  public List<E> reversed() {
    return new StateList<>(elements.reversed());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (other == this) {
      return true;
    }
    if (!(other instanceof List<?> that)) {
      return false;
    }
    Iterator<?> others = that.iterator();
    for (E element : this) {
      if (!others.hasNext() || !element.equals(others.next())) {
        return false;
      }
    }
    return !others.hasNext();
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (E element : this) {
      hash = 31 * hash + element.hashCode();
    }
    return hash;
  }

  private static <E> List<E> list(View<E> view) {
    List<E> list = new ArrayList<>(view.size());
    view.iterator().forEachRemaining(list::add);
    return list;
  }

  private static int first(View<?> view) {
    if (view.isEmpty()) {
      throw new NoSuchElementException("the list is empty");
    }
    return 0;
  }

  private static int last(View<?> view) {
    return first(view) + view.size() - 1;
  }

  private static int checkPlace(int index, View<?> view) {
    if (index < 0 || index > view.size()) {
      throw new IndexOutOfBoundsException(
          "index " + index + " is outside a list of " + view.size() + " elements");
    }
    return index;
  }
}
