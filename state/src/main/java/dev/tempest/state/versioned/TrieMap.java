package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ValueType;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent hash map: a compressed hash-array mapped prefix tree (Steindorfer and Vinju, OOPSLA
 * 2015) whose every change is a new map that shares what it did not touch.
 *
 * <p>Equal contents have equal structure and iterate in the same order, whatever their history, in
 * every JVM: keys hash by {@link ValueType#hash}. Keys compare by {@link ValueType#isSame}.
 */
final class TrieMap<K, V> implements Entries<K, V> {
  private final ValueType<K> keys;
  final TrieNode root;
  private final int size;

  private TrieMap(ValueType<K> keys, TrieNode root, int size) {
    this.keys = keys;
    this.root = root;
    this.size = size;
  }

  static <K, V> TrieMap<K, V> empty(ValueType<K> keys) {
    return new TrieMap<>(keys, TrieNode.EMPTY, 0);
  }

  @Override
  public int size() {
    return size;
  }

  ValueType<K> keys() {
    return keys;
  }

  int hash(K key) {
    return keys.hash(key);
  }

  @Override
  public @Nullable V get(K key) {
    return get(key, keys.hash(key));
  }

  /** The value of {@code key}, whose hash the caller knows; null if it is absent. */
  @SuppressWarnings("unchecked") // Only values of this type were ever inserted.
  @Nullable V get(K key, int hash) {
    return (V) TrieNode.find(keys, root, key, hash);
  }

  @Override
  public TrieMap<K, V> put(K key, V value) {
    return put(key, get(key), value);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Whether equal values are the same is the owner's matter.
  public TrieMap<K, V> put(K key, @Nullable V old, V value) {
    if (old == null) {
      return insert(key, keys.hash(key), value);
    }
    return old == value ? this : replace(key, keys.hash(key), value);
  }

  @Override
  public TrieMap<K, V> remove(K key) {
    int hash = keys.hash(key);
    return get(key, hash) == null ? this : removePresent(key, hash);
  }

  /** {@link #put} where the caller knows that {@code key} is absent. */
  TrieMap<K, V> insert(K key, int hash, V value) {
    return new TrieMap<>(keys, root.insert(keys, key, hash, value, 0), size + 1);
  }

  /** {@link #put} where the caller knows that {@code key} is present. */
  TrieMap<K, V> replace(K key, int hash, V value) {
    return new TrieMap<>(keys, root.replace(keys, key, hash, value, 0), size);
  }

  /** {@link #remove} where the caller knows that {@code key} is present. */
  TrieMap<K, V> removePresent(K key, int hash) {
    return new TrieMap<>(keys, root.remove(keys, key, hash, 0), size - 1);
  }

  @Override
  public TrieMap<K, V> of(StoredType<K> alike) {
    return new TrieMap<>(alike.type(), root, size);
  }

  @Override
  public TrieCursor<K, V> cursor() {
    return new TrieCursor<>(root);
  }

  @Override
  public void difference(Entries<K, V> before, DifferenceVisitor<? super K, ? super V> visitor) {
    new TrieDifference<K, V>(keys, visitor).show(((TrieMap<K, V>) before).root, root, 0);
  }

  @Override
  public boolean hasContentsOf(Entries<K, V> other, BiPredicate<? super V, ? super V> same) {
    TrieMap<K, V> that = (TrieMap<K, V>) other;
    return size == that.size && equal(root, that.root, same);
  }

  @SuppressWarnings("unchecked") // Only keys and values of these types were ever inserted.
  private boolean equal(TrieNode left, TrieNode right, BiPredicate<? super V, ? super V> same) {
    if (left == right) {
      return true;
    }
    if (left.entryMap != right.entryMap
        || left.nodeMap != right.nodeMap
        || left.slots.length != right.slots.length) {
      return false;
    }
    int entrySlots = left.entrySlots();
    for (int slot = 0; slot < entrySlots; slot += 2) {
      if (!keys.isSame((K) left.slots[slot], (K) right.slots[slot])
          || !same.test((V) left.slots[slot + 1], (V) right.slots[slot + 1])) {
        return false;
      }
    }
    for (int slot = entrySlots; slot < left.slots.length; slot++) {
      if (!equal((TrieNode) left.slots[slot], (TrieNode) right.slots[slot], same)) {
        return false;
      }
    }
    return true;
  }
}
