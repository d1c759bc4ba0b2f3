package dev.tempest.state.versioned;

/** A collection of entries: what it belongs to. */
interface KeyedCollection<K, V> {
  VersionedState state();

  KeyedObject<K, V> object();

  /** Whether it is a range of what was declared. */
  default boolean isPart() {
    return false;
  }
}
