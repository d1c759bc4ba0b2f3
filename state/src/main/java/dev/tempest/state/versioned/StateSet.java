package dev.tempest.state.versioned;

/** A declared set over the version that the caller sees: the keys of a map to {@link Present}. */
final class StateSet<E> extends MapKeys<E, Present, StateMap<E, Present>>
    implements KeyedCollection<E, Present> {
  StateSet(VersionedState state, KeyedObject<E, Present> object) {
    super(new StateMap<>(state, object));
  }

  @Override
  public KeyedObject<E, Present> object() {
    return map.object();
  }

  @Override
  public boolean add(E element) {
    return map.put(element, Present.PRESENT) == null;
  }
}
