package dev.tempest;

import org.jspecify.annotations.Nullable;

/** Is called when elements of a list or deque change. */
@FunctionalInterface
public interface ListListener<E> {
  /**
   * An element was inserted, removed or replaced. Whoever does the same to a copy of the list, call
   * by call, ends with what the list has become. An element that moves is removed and inserted.
   *
   * @param index where, in such a copy, once all earlier calls were followed
   * @param before the element that was there; null if {@code after} was inserted
   * @param after the element that is there now; null if {@code before} was removed or has expired
   */
  void changed(int index, @Nullable E before, @Nullable E after);
}
