package dev.tempest.state.versioned;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The keys between two bounds. Immutable and thread-safe.
 *
 * @param low null for no bound
 * @param high null for no bound
 */
record KeyRange<K>(
    Comparator<? super K> order,
    @Nullable K low,
    boolean lowInclusive,
    @Nullable K high,
    boolean highInclusive) {

  KeyRange {
    if (low != null && high != null && order.compare(low, high) > 0) {
      throw new IllegalArgumentException(
          "inconsistent range: the lower bound " + low + " lies above the upper bound " + high);
    }
  }

  static <K> KeyRange<K> all(Comparator<? super K> order) {
    return new KeyRange<>(order, null, false, null, false);
  }

  boolean contains(K key) {
    return !isBelow(key) && !isAbove(key);
  }

  /** Refuses a key outside as the JDK does. */
  void require(K key) {
    if (!contains(key)) {
      throw new IllegalArgumentException("key out of range: " + key + " is not within " + this);
    }
  }

  /**
   * The part of this between two bounds.
   *
   * @param from null for the bound of this
   * @param to null for the bound of this
   * @throws IllegalArgumentException if a bound lies outside of this, or they cross
   */
  KeyRange<K> narrowed(
      @Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    if (from != null && low != null) {
      int order = order().compare(from, low);
      requireBound(from, order > 0 || (order == 0 && (lowInclusive || !fromInclusive)));
    }
    if (to != null && high != null) {
      int order = order().compare(to, high);
      requireBound(to, order < 0 || (order == 0 && (highInclusive || !toInclusive)));
    }
    return new KeyRange<>(
        order,
        from == null ? low : from,
        from == null ? lowInclusive : fromInclusive,
        to == null ? high : to,
        to == null ? highInclusive : toInclusive);
  }

  /** The index of the first key of a tree that lies within. */
  int fromIndex(SortedTree<K, ?> tree) {
    return tree.fromIndex(low, lowInclusive);
  }

  /** The index behind the last key of a tree that lies within. */
  int toIndex(SortedTree<K, ?> tree) {
    // Not below the other where both bounds are one key that is excluded.
    return low != null && high != null
        ? Math.max(fromIndex(tree), tree.toIndex(high, highInclusive))
        : tree.toIndex(high, highInclusive);
  }

  <V> @Nullable TreeNode<K, V> lowest(SortedTree<K, V> tree) {
    return notAbove(
        low == null ? tree.first() : lowInclusive ? tree.ceiling(low) : tree.higher(low));
  }

  <V> @Nullable TreeNode<K, V> highest(SortedTree<K, V> tree) {
    return notBelow(
        high == null ? tree.last() : highInclusive ? tree.floor(high) : tree.lower(high));
  }

  /** The entry of the highest key within that lies below {@code key}, or is it. */
  <V> @Nullable TreeNode<K, V> below(SortedTree<K, V> tree, K key, boolean inclusive) {
    return isAbove(key) ? highest(tree) : notBelow(inclusive ? tree.floor(key) : tree.lower(key));
  }

  /** The entry of the lowest key within that lies above {@code key}, or is it. */
  <V> @Nullable TreeNode<K, V> above(SortedTree<K, V> tree, K key, boolean inclusive) {
    return isBelow(key) ? lowest(tree) : notAbove(inclusive ? tree.ceiling(key) : tree.higher(key));
  }

  @Override
  public String toString() {
    return (lowInclusive ? "[" : "(")
        + (low == null ? "" : low)
        + ", "
        + (high == null ? "" : high)
        + (highInclusive ? "]" : ")");
  }

  private void requireBound(K bound, boolean isWithin) {
    if (!isWithin) {
      throw new IllegalArgumentException(
          "key out of range: " + bound + " is not a bound within " + this);
    }
  }

  private boolean isBelow(K key) {
    if (low == null) {
      return false;
    }
    int compared = order.compare(key, low);
    return compared < 0 || (compared == 0 && !lowInclusive);
  }

  private boolean isAbove(K key) {
    if (high == null) {
      return false;
    }
    int compared = order.compare(key, high);
    return compared > 0 || (compared == 0 && !highInclusive);
  }

  private <V> @Nullable TreeNode<K, V> notBelow(@Nullable TreeNode<K, V> node) {
    return node == null || isBelow(node.key) ? null : node;
  }

  private <V> @Nullable TreeNode<K, V> notAbove(@Nullable TreeNode<K, V> node) {
    return node == null || isAbove(node.key) ? null : node;
  }
}
