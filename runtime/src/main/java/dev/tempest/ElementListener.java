package dev.tempest;

/** Is called when elements come into a set or go. */
@FunctionalInterface
public interface ElementListener<E> {
  /**
   * An element has come or gone.
   *
   * @param present whether it is there now; false if it was removed, has expired or was evicted
   */
  void changed(E element, boolean present);
}
