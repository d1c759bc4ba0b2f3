package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Elements.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A declared deque over the version that the caller sees. */
final class StateDeque<E> extends StateSequence<E> implements BlockingDeque<E> {
  private final int capacity;

  /** Which end of the deque. */
  private enum End {
    FIRST,
    LAST;

    <E> int indexIn(View<E> view) {
      return this == FIRST ? 0 : view.size() - 1;
    }

    <E> int placeIn(View<E> view) {
      return this == FIRST ? 0 : view.size();
    }
  }

  /**
   * A deque.
   *
   * @param capacity the most elements that are put by this node; at least 1
   */
  StateDeque(Elements<E> elements, int capacity) {
    super(elements);
    this.capacity = capacity;
  }

  @Override
  public int remainingCapacity() {
    return room(elements.view());
  }

  @Override
  public void addFirst(E element) {
    requireRoom(offer(End.FIRST, elements.in(element)));
  }

  @Override
  public void addLast(E element) {
    requireRoom(offer(End.LAST, elements.in(element)));
  }

  @Override
  public boolean add(E element) {
    addLast(element);
    return true;
  }

  @Override
  public void push(E element) {
    addFirst(element);
  }

  @Override
  public boolean offerFirst(E element) {
    return offer(End.FIRST, elements.in(element));
  }

  @Override
  public boolean offerLast(E element) {
    return offer(End.LAST, elements.in(element));
  }

  @Override
  public boolean offer(E element) {
    return offerLast(element);
  }

  @Override
  public void putFirst(E element) throws InterruptedException {
    awaitOffer(End.FIRST, element, Long.MAX_VALUE);
  }

  @Override
  public void putLast(E element) throws InterruptedException {
    awaitOffer(End.LAST, element, Long.MAX_VALUE);
  }

  @Override
  public void put(E element) throws InterruptedException {
    putLast(element);
  }

  @Override
  public boolean offerFirst(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return awaitOffer(End.FIRST, element, unit.toNanos(timeout));
  }

  @Override
  public boolean offerLast(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return awaitOffer(End.LAST, element, unit.toNanos(timeout));
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return offerLast(element, timeout, unit);
  }

  /** Adds all, or refuses all as {@link #add} does where there is no room for them. */
  @Override
  @SuppressWarnings("ReferenceEquality") // This very deque.
  public boolean addAll(Collection<? extends E> added) {
    if (added == this) {
      throw new IllegalArgumentException("a deque cannot be added to itself");
    }
    List<E> stored = elements.in(added);
    requireRoom(
        elements.write((action, view) -> {
          if (stored.size() > room(view)) {
            return false;
          }
          elements.insertAll(action, view, view.size(), stored);
          return true;
        }));
    return !stored.isEmpty();
  }

  @Override
  public @Nullable E pollFirst() {
    return poll(End.FIRST);
  }

  @Override
  public @Nullable E pollLast() {
    return poll(End.LAST);
  }

  @Override
  public @Nullable E poll() {
    return pollFirst();
  }

  @Override
  public E removeFirst() {
    return required(poll(End.FIRST));
  }

  @Override
  public E removeLast() {
    return required(poll(End.LAST));
  }

  @Override
  public E remove() {
    return removeFirst();
  }

  @Override
  public E pop() {
    return removeFirst();
  }

  @Override
  public E takeFirst() throws InterruptedException {
    return required(awaitPoll(End.FIRST, Long.MAX_VALUE));
  }

  @Override
  public E takeLast() throws InterruptedException {
    return required(awaitPoll(End.LAST, Long.MAX_VALUE));
  }

  @Override
  public E take() throws InterruptedException {
    return takeFirst();
  }

  @Override
  public @Nullable E pollFirst(long timeout, TimeUnit unit) throws InterruptedException {
    return awaitPoll(End.FIRST, unit.toNanos(timeout));
  }

  @Override
  public @Nullable E pollLast(long timeout, TimeUnit unit) throws InterruptedException {
    return awaitPoll(End.LAST, unit.toNanos(timeout));
  }

  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return pollFirst(timeout, unit);
  }

  @Override
  public @Nullable E peekFirst() {
    return peek(End.FIRST);
  }

  @Override
  public @Nullable E peekLast() {
    return peek(End.LAST);
  }

  @Override
  public @Nullable E peek() {
    return peekFirst();
  }

  @Override
  public E getFirst() {
    return required(peekFirst());
  }

  @Override
  public E getLast() {
    return required(peekLast());
  }

  @Override
  public E element() {
    return getFirst();
  }

  @Override
  public boolean removeFirstOccurrence(@Nullable Object candidate) {
    return elements.write((action, view) -> removeAt(action, view, view.indexOf(candidate)));
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object candidate) {
    return elements.write((action, view) -> removeAt(action, view, view.lastIndexOf(candidate)));
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // This very deque.
  public int drainTo(Collection<? super E> target, int elementsMax) {
    Objects.requireNonNull(target);
    if (target == this) {
      throw new IllegalArgumentException("a deque cannot be drained to itself");
    }
    List<E> drained =
        elements.write((action, view) -> { // May run again: the target is filled once it counts.
          int count = Math.max(0, Math.min(elementsMax, view.size()));
          List<E> removed = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            removed.add(elements.remove(action, view, i));
          }
          return removed;
        });
    int taken = 0;
    try {
      for (E element : drained) {
        target.add(element);
        taken++;
      }
    } finally {
      putBack(drained.subList(taken, drained.size()));
    }
    return taken;
  }

  /** As if the target that refuses these had been asked before. */
  private void putBack(List<E> refused) {
    if (!refused.isEmpty()) {
      List<E> stored = elements.in(refused);
      elements.write((action, view) -> elements.insertAll(action, view, 0, stored));
    }
  }

  @Override
  public Iterator<E> descendingIterator() {
    return elements.view().descendingIterator();
  }

  @Override
  public BlockingDeque<E> reversed() {
    return new StateDeque<>(elements.reversed(), capacity);
  }

  private int room(View<E> view) {
    // Below 0 where other nodes have put elements at the same time.
    return Math.max(0, capacity - view.size());
  }

  private boolean offer(End end, E stored) {
    return elements.write((action, view) -> {
      if (room(view) == 0) {
        return false;
      }
      elements.insert(action, view, end.placeIn(view), stored);
      return true;
    });
  }

  private boolean awaitOffer(End end, E element, long timeoutNanos) throws InterruptedException {
    E stored = elements.in(element);
    state().requireUninterrupted();
    long leftNanos = timeoutNanos;
    long untilNanos = state().nowNanos() + timeoutNanos; // Looking takes time, too.
    while (true) {
      Keyed<Position> seen = elements.root();
      if (room(elements.view(seen)) > 0 && offer(end, stored)) {
        return true;
      }
      if (leftNanos <= 0) {
        return false;
      }
      leftNanos = elements.awaitChange(seen, untilNanos);
    }
  }

  private @Nullable E poll(End end) {
    return elements.<@Nullable E>write(
        (action, view) -> view.isEmpty() ? null : elements.remove(action, view, end.indexIn(view)));
  }

  private @Nullable E awaitPoll(End end, long timeoutNanos) throws InterruptedException {
    state().requireUninterrupted();
    long leftNanos = timeoutNanos;
    long untilNanos = state().nowNanos() + timeoutNanos; // Looking takes time, too.
    while (true) {
      Keyed<Position> seen = elements.root();
      E polled = elements.view(seen).isEmpty() ? null : poll(end);
      if (polled != null || leftNanos <= 0) {
        return polled;
      }
      leftNanos = elements.awaitChange(seen, untilNanos);
    }
  }

  private @Nullable E peek(End end) {
    View<E> view = elements.view();
    return view.isEmpty() ? null : view.get(end.indexIn(view));
  }

  private void requireRoom(boolean isAdded) {
    if (!isAdded) {
      throw new IllegalStateException("the deque is full: it holds " + capacity + " elements");
    }
  }

  private static <E> E required(@Nullable E element) {
    if (element == null) {
      throw new NoSuchElementException("the deque is empty");
    }
    return element;
  }
}
