package dev.tempest.state.versioned;

import dev.tempest.state.versioned.StateObject.Kind;

/** Shows how a declared collection differs between two versions, shape by shape. */
final class CollectionDifference {
  private CollectionDifference() {}

  /**
   * Shows it.
   *
   * @throws IllegalArgumentException if the collection is none of this state, or part of one
   */
  static <K, V> void show(
      VersionedState state,
      Object collection,
      Version before,
      Version after,
      EntryVisitor<K, V> visitor) {
    switch (collection) {
      case StateCounter counter when counter.isOf(state) ->
          show(counter.object(), before, after, visitor);
      case KeyedCollection<?, ?> keyed when keyed.state() == state && !keyed.isPart() ->
          show(keyed.object(), before, after, visitor);
      default ->
          throw new IllegalArgumentException(
              "this is not a whole collection of this node: pass what map(), list() and the like"
                  + " return");
    }
  }

  @SuppressWarnings("unchecked") // A counter has numbers for values.
  private static <K, V> void show(
      CounterObject object, Version before, Version after, EntryVisitor<K, V> visitor) {
    Object earlier = before.root(object);
    Object later = after.root(object);
    if (!earlier.equals(later)) {
      ((EntryVisitor<Object, Object>) visitor).visit(object.name, earlier, later);
    }
  }

  @SuppressWarnings("unchecked") // The roots were made by the object.
  private static <P, E, K, V> void show(
      KeyedObject<P, E> object, Version before, Version after, EntryVisitor<K, V> visitor) {
    EntryVisitor<Object, E> shown = (EntryVisitor<Object, E>) visitor;
    Keyed<P> earlier = (Keyed<P>) before.root(object);
    Keyed<P> later = (Keyed<P>) after.root(object);
    if (object.kind == Kind.LIST || object.kind == Kind.DEQUE) {
      // They come by rising positions: whatever lies below has become what it is later.
      SortedTree<P, Object> elements = (SortedTree<P, Object>) later.entries();
      object.difference(
          earlier, later, (position, was, is) -> shown.visit(elements.rank(position), was, is));
    } else {
      object.difference(earlier, later, shown::visit);
    }
  }
}
