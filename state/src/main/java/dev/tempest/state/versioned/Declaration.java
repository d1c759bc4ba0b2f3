package dev.tempest.state.versioned;

/**
 * What code says of a keyed object.
 *
 * @param travelsConditions whether conditional writes are decided where they are applied
 */
record Declaration<K, V>(
    StoredType<K> keys, StoredType<V> values, Lifetime lifetime, boolean travelsConditions) {
  static <K, V> Declaration<K, V> of(StoredType<K> keys, StoredType<V> values) {
    return new Declaration<>(keys, values, Lifetime.UNLIMITED, false);
  }
}
