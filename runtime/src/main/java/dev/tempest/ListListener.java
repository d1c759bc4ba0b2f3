package dev.tempest;

import org.jspecify.annotations.Nullable;

/** Is called when elements of a list or deque change. */
@FunctionalInterface
public interface ListListener<E> {
  /**
   * An element was inserted, removed or replaced. Apply the calls one by one to a copy of the list,
   * and the copy becomes the list, without what cannot be read here. An element that moves is
   * removed and inserted.
   *
   * @param index where, in a copy to which all earlier calls were applied
   * @param before the element that was there; null if {@code after} was inserted
   * @param after the element that is there now; null if {@code before} was removed or has expired
   */
  void changed(int index, @Nullable E before, @Nullable E after);
}
