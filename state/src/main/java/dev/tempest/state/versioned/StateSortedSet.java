package dev.tempest.state.versioned;

/** A declared sorted set, or a range of it: the keys of a sorted map to {@link Present}. */
final class StateSortedSet<E> extends SortedKeys<E, Present>
    implements KeyedCollection<E, Present> {
  StateSortedSet(VersionedState state, KeyedObject<E, Present> object) {
    this(new StateSortedMap<>(state, object));
  }

  private StateSortedSet(StateSortedMap<E, Present> map) {
    super(map);
  }

  @Override
  StateSortedSet<E> of(StateSortedMap<E, Present> range) {
    return new StateSortedSet<>(range);
  }

  @Override
  public KeyedObject<E, Present> object() {
    return map.object();
  }

  @Override
  public boolean isPart() {
    return map.isPart();
  }

  @Override
  public boolean add(E element) {
    return map.put(element, Present.PRESENT) == null;
  }
}
