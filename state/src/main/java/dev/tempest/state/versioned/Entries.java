package dev.tempest.state.versioned;

import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map: every change is a new one that shares what it did not touch. {@link TrieMap}
 * has the order of the hashes, {@link SortedTree} that of a comparator.
 *
 * <p>Copies nothing on the way in or out; whoever owns it does. Neither keys nor values are null.
 * Immutable and thread-safe.
 */
interface Entries<K, V> {
  int size();

  /** The value of {@code key}, null if it is absent. */
  @Nullable V get(K key);

  /**
   * With {@code value} for {@code key}; this itself if that very value is there already. A key that
   * is present stays the object that it is.
   */
  Entries<K, V> put(K key, V value);

  /**
   * As {@link #put(Object, Object)} where the caller knows what is there, which may save the search
   * for it.
   *
   * @param old what {@link #get} gives for {@code key}
   */
  default Entries<K, V> put(K key, @Nullable V old, V value) {
    return put(key, value);
  }

  /** Without {@code key}; this itself if it is absent. */
  Entries<K, V> remove(K key);

  /** The same entries with keys of a type that hashes and orders them alike. */
  Entries<K, V> of(StoredType<K> alike);

  /** All entries in their order. */
  Cursor<K, V> cursor();

  /**
   * Shows what this has other than {@code before}: each key whose value is not the very same
   * object. In time proportional to the differences where one came about from the other.
   *
   * @param before of the same class, with the same keys type or comparator
   */
  void difference(Entries<K, V> before, DifferenceVisitor<? super K, ? super V> visitor);

  /**
   * True if both hold equal keys with values that are the {@code same}.
   *
   * @param other as in {@link #difference}
   */
  boolean hasContentsOf(Entries<K, V> other, BiPredicate<? super V, ? super V> same);

  /** Is shown the differences between two collections, each key at most once. */
  @FunctionalInterface
  interface DifferenceVisitor<K, V> {
    /**
     * A key that was added, removed, or has another value.
     *
     * @param oldValue null if the key was absent
     * @param newValue null if the key is absent
     */
    void visit(K key, @Nullable V oldValue, @Nullable V newValue);
  }
}
