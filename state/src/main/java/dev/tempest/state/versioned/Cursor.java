package dev.tempest.state.versioned;

/**
 * Walks over the entries of an immutable collection, in its order, without an object per entry.
 *
 * <p>Not thread-safe; each reader takes its own.
 */
interface Cursor<K, V> {
  /** Goes on to the next entry; false if there is none. */
  boolean advance();

  /** The key of the entry that {@link #advance} went to. */
  K key();

  /** The value of the entry that {@link #advance} went to. */
  V value();
}
