package dev.tempest.state.versioned;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a list or deque that lie between two positions: read as the caller sees them,
 * written under their positions.
 *
 * @param low what comes before all of them, null for none
 * @param high what comes after all of them, null for none
 * @param descending whether the element at the highest position is the first
 */
record Elements<E>(
    VersionedState state,
    KeyedObject<Position, E> object,
    @Nullable Position low,
    @Nullable Position high,
    boolean descending) {

  /** All elements of an object. */
  static <E> Elements<E> all(VersionedState state, KeyedObject<Position, E> object) {
    return new Elements<>(state, object, null, null, false);
  }

  /** One moment of the elements: those of {@code tree} from an index to another, exclusive. */
  record View<E>(
      Elements<E> elements, SortedTree<Position, Object> tree, int fromIndex, int toIndex) {
    int size() {
      return toIndex - fromIndex;
    }

    boolean isEmpty() {
      return fromIndex >= toIndex;
    }

    E get(int index) {
      return elements.out(node(index).value);
    }

    Position position(int index) {
      return node(index).key;
    }

    private TreeNode<Position, Object> node(int index) {
      return tree.at(elements.descending ? toIndex - 1 - index : fromIndex + index);
    }

    /** What lies below an element that is inserted at {@code index}. */
    @Nullable Position below(int index) {
      int next = elements.descending ? index : index - 1;
      return next < 0 || next == size() ? elements.low : position(next);
    }

    /** What lies above an element that is inserted at {@code index}. */
    @Nullable Position above(int index) {
      int next = elements.descending ? index - 1 : index;
      return next < 0 || next == size() ? elements.high : position(next);
    }

    /** What lies between two places. */
    Elements<E> part(int fromPlace, int toPlace) {
      return elements.descending
          ? elements.between(below(toPlace), above(fromPlace))
          : elements.between(below(fromPlace), above(toPlace));
    }

    /** The index of the first element equal to {@code candidate}; -1 if there is none. */
    int indexOf(@Nullable Object candidate) {
      return elements.find(cursor(), candidate);
    }

    /** The index of the last element equal to {@code candidate}; -1 if there is none. */
    int lastIndexOf(@Nullable Object candidate) {
      int passed = elements.find(cursor(!elements.descending), candidate);
      return passed < 0 ? passed : size() - 1 - passed;
    }

    /** As if an element had been put to a position of these. */
    View<E> with(Position position, E stored) {
      return elements.view(tree.put(position, stored));
    }

    View<E> without(Position position) {
      return elements.view(tree.remove(position));
    }

    TreeCursor<Position, Object> cursor() {
      return cursor(elements.descending);
    }

    private TreeCursor<Position, Object> cursor(boolean descending) {
      return descending
          ? tree.descendingCursor(fromIndex, toIndex)
          : tree.cursor(fromIndex, toIndex);
    }

    Object[] toArray() {
      Object[] array = new Object[size()];
      Cursor<Position, Object> cursor = cursor();
      for (int i = 0; cursor.advance(); i++) {
        array[i] = elements.out(cursor.value());
      }
      return array;
    }

    ElementIterator<E> iterator() {
      return new ElementIterator<>(elements, cursor());
    }

    ElementIterator<E> descendingIterator() {
      return new ElementIterator<>(elements, cursor(!elements.descending));
    }
  }

  /** The same in the other direction. */
  Elements<E> reversed() {
    return new Elements<>(state, object, low, high, !descending);
  }

  /** Whether the indexes of these are not those of the declared collection. */
  boolean isPart() {
    return low != null || high != null || descending;
  }

  /** Over what the caller sees when it is first used. */
  Spliterator<E> spliterator() {
    return new LateSpliterator<>(
        () -> {
          View<E> view = view();
          return Spliterators.spliterator(
              view.iterator(), view.size(), Spliterator.ORDERED | Spliterator.NONNULL);
        },
        Spliterator.ORDERED);
  }

  /** What the caller sees now. */
  View<E> view() {
    return view(state.keyed(object));
  }

  /** What the caller sees now, to be told apart from what follows. */
  Keyed<Position> root() {
    return state.keyed(object);
  }

  /**
   * Waits until something has changed here since {@code root} was seen.
   *
   * @param untilNanos at the latest, as {@link VersionedState#nowNanos} gives it
   * @return the nanoseconds that are left of the timeout, 0 or less for none
   * @throws IllegalStateException if the caller may not wait
   */
  long awaitChange(Keyed<Position> root, long untilNanos) throws InterruptedException {
    return state.awaitChange(object, root, untilNanos);
  }

  /** What the action has made of them by now. */
  View<E> view(VersionedAction action) {
    action.touchAll(object);
    return view(action.keyed(object));
  }

  /** What was there when {@code root} was seen. */
  View<E> view(Keyed<Position> root) {
    return view(root.sortedAt(state.nowMillis())); // What is over has no index.
  }

  private View<E> view(SortedTree<Position, Object> tree) {
    return new View<>(this, tree, tree.fromIndex(low, false), tree.toIndex(high, false));
  }

  private Elements<E> between(@Nullable Position below, @Nullable Position above) {
    return new Elements<>(state, object, below, above, descending);
  }

  /** What to store. */
  E in(E element) {
    return object.values.in(element);
  }

  /** What to store of a collection, in its order. */
  List<E> in(Collection<? extends E> elements) {
    List<E> stored = new ArrayList<>(elements.size());
    for (E element : elements) {
      stored.add(in(element));
    }
    return stored;
  }

  /** What to give of a slot of a view. */
  E out(Object slot) {
    return object.values.out(object.value(slot));
  }

  /** How many elements a cursor passes before one equal to {@code candidate}; -1 without one. */
  private int find(Cursor<Position, Object> cursor, @Nullable Object candidate) {
    E query = candidate == null ? null : object.values.asQuery(candidate);
    for (int passed = 0; query != null && cursor.advance(); passed++) {
      if (object.values.isSame(object.value(cursor.value()), query)) {
        return passed;
      }
    }
    return -1;
  }

  /** Writes in one action, given what it sees. */
  <T extends @Nullable Object> T write(BiFunction<VersionedAction, View<E>, T> writing) {
    return state.write(action -> writing.apply(action, view(action)));
  }

  /** Puts a stored element between the two that are at {@code index} of a view. */
  Position insert(VersionedAction action, View<E> view, int index, E stored) {
    Position position = action.position(view.below(index), view.above(index));
    action.put(object, position, stored);
    return position;
  }

  /** Puts stored elements between the two that are at {@code index} of a view. */
  boolean insertAll(VersionedAction action, View<E> view, int index, List<E> stored) {
    Position[] positions = new Position[stored.size()];
    action.fill(positions, view.below(index), view.above(index));
    for (int i = 0; i < positions.length; i++) {
      int place = descending ? positions.length - 1 - i : i;
      action.put(object, positions[place], stored.get(i));
    }
    return positions.length > 0;
  }

  /** Removes the element at {@code index} of a view. */
  E remove(VersionedAction action, View<E> view, int index) {
    E removed = view.get(index);
    action.remove(object, view.position(index));
    return removed;
  }

  /** Removes what was seen; nothing if another has done so. */
  void removeSeen(Position position) {
    write((action, view) -> {
      if (action.slot(object, position) != null) {
        action.remove(object, position);
      }
      return null;
    });
  }

  /**
   * Puts another element where one was seen.
   *
   * @throws ConcurrentModificationException if that was removed since
   */
  void replaceSeen(Position position, E stored) {
    write((action, view) -> {
      if (action.find(object, position) == null) {
        throw new ConcurrentModificationException("the element was removed in the meantime");
      }
      action.put(object, position, stored);
      return null;
    });
  }

  /**
   * Puts stored elements in the places of all elements of a view.
   *
   * @throws ConcurrentModificationException if the action has changed them since
   */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  void replaceAll(VersionedAction action, View<E> view, List<E> stored) {
    if (!view(action).tree.hasContentsOf(view.tree, (left, right) -> left == right)) {
      throw new ConcurrentModificationException(
          "the list was modified while its elements were computed");
    }
    Cursor<Position, Object> cursor = view.cursor();
    for (int i = 0; cursor.advance(); i++) {
      action.put(object, cursor.key(), stored.get(i));
    }
  }

  /** Removes all. */
  void clear() {
    write((action, view) -> {
      Cursor<Position, Object> cursor = view.cursor();
      while (cursor.advance()) {
        action.remove(object, cursor.key());
      }
      return null;
    });
  }

  /** Removes all elements whose slot fulfills {@code condition}. */
  boolean removeSlots(Predicate<Object> condition) {
    return write((action, view) -> {
      List<Position> doomed = new ArrayList<>();
      Cursor<Position, Object> cursor = view.cursor();
      while (cursor.advance()) {
        if (condition.test(cursor.value())) {
          doomed.add(cursor.key());
        }
      }
      doomed.forEach(position -> action.remove(object, position));
      return !doomed.isEmpty();
    });
  }
}
