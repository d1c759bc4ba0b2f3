package dev.tempest.state.versioned;

/** The entries of a keyed object that a caller sees at some time, by value. */
final class VisibleCursor<K, V> {
  private final KeyedObject<K, V> object;
  private final Cursor<K, Object> cursor;
  private final long nowMillis;

  private VisibleCursor(KeyedObject<K, V> object, Cursor<K, Object> cursor, long nowMillis) {
    this.object = object;
    this.cursor = cursor;
    this.nowMillis = nowMillis;
  }

  /** Over all entries. */
  static <K, V> VisibleCursor<K, V> of(KeyedObject<K, V> object, Keyed<K> root, long nowMillis) {
    return new VisibleCursor<>(object, root.entries().cursor(), nowMillis);
  }

  /** Goes on to the next entry; false if there is none. */
  boolean advance() {
    while (cursor.advance()) {
      if (Lease.isThere(cursor.value(), nowMillis)) {
        return true;
      }
    }
    return false;
  }

  /** The key as it is stored. */
  K storedKey() {
    return cursor.key();
  }

  K key() {
    return object.keys.out(cursor.key());
  }

  /** The value as it is stored. */
  V stored() {
    return object.value(cursor.value());
  }

  V value() {
    return object.values.out(stored());
  }
}
