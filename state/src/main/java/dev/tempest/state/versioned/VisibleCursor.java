package dev.tempest.state.versioned;

import org.jspecify.annotations.Nullable;

/** The entries of a keyed object that a caller sees at some time, by value. */
final class VisibleCursor<K, V> {
  private final KeyedObject<K, V> object;
  private final Cursor<K, Object> cursor;
  private final long nowMillis;
  private @Nullable V stored;

  private VisibleCursor(KeyedObject<K, V> object, Cursor<K, Object> cursor, long nowMillis) {
    this.object = object;
    this.cursor = cursor;
    this.nowMillis = nowMillis;
  }

  /** Over all entries. */
  static <K, V> VisibleCursor<K, V> of(KeyedObject<K, V> object, Keyed<K> root, long nowMillis) {
    return of(object, root.entries().cursor(), nowMillis);
  }

  /** Over the entries that another cursor walks over. */
  static <K, V> VisibleCursor<K, V> of(
      KeyedObject<K, V> object, Cursor<K, Object> cursor, long nowMillis) {
    return new VisibleCursor<>(object, cursor, nowMillis);
  }

  /** Goes on to the next entry; false if there is none. */
  boolean advance() {
    while (cursor.advance()) {
      stored = object.visible(cursor.value(), nowMillis);
      if (stored != null) {
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

  V value() {
    V value = stored;
    if (value == null) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
    return object.values.out(value);
  }
}
