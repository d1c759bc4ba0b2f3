package dev.tempest.state.versioned;

/**
 * What code says of a keyed object.
 *
 * @param travelsConditions whether conditional writes are decided where they are applied
 * @param refusesOthers whether what was stored as another type is refused, or else kept unread
 */
record Declaration<K, V>(
    StoredType<K> keys,
    StoredType<V> values,
    Lifetime lifetime,
    boolean travelsConditions,
    boolean refusesOthers) {}
