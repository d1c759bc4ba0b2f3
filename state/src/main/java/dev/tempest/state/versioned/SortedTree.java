package dev.tempest.state.versioned;

import dev.tempest.values.encoding.MalformedException;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent sorted map that also knows the place of every key: a weight-balanced tree of {@link
 * TreeNode}s. Every operation on one key, and on one place, takes time logarithmic in the size.
 *
 * <p>Keys are the same if the comparator says 0. Equal contents iterate in the same order; the
 * shape of the tree depends on its history. Immutable and thread-safe.
 */
final class SortedTree<K, V> implements Entries<K, V> {
  private final Comparator<? super K> comparator;
  final @Nullable TreeNode<K, V> root;

  private SortedTree(Comparator<? super K> comparator, @Nullable TreeNode<K, V> root) {
    this.comparator = comparator;
    this.root = root;
  }

  static <K, V> SortedTree<K, V> empty(Comparator<? super K> comparator) {
    return new SortedTree<>(comparator, null);
  }

  /**
   * The tree of the next {@code size} entries of {@code sorted}, in linear time.
   *
   * @throws MalformedException if the keys do not rise from entry to entry, or there are fewer
   */
  static <K, V> SortedTree<K, V> build(
      Comparator<? super K> comparator, int size, Cursor<K, V> sorted) {
    return new SortedTree<>(comparator, new Builder<>(comparator, sorted).build(size));
  }

  Comparator<? super K> comparator() {
    return comparator;
  }

  @Override
  public int size() {
    return TreeNode.size(root);
  }

  @Override
  public @Nullable V get(K key) {
    TreeNode<K, V> node = find(key);
    return node == null ? null : node.value;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  public SortedTree<K, V> put(K key, V value) {
    TreeNode<K, V> changed = TreeNode.put(root, comparator, key, value);
    return changed == root ? this : new SortedTree<>(comparator, changed);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  public SortedTree<K, V> remove(K key) {
    TreeNode<K, V> changed = TreeNode.remove(root, comparator, key);
    return changed == root ? this : new SortedTree<>(comparator, changed);
  }

  /** The entry of {@code key}, null if it is absent. */
  @Nullable TreeNode<K, V> find(K key) {
    TreeNode<K, V> node = root;
    while (node != null) {
      int order = comparator.compare(key, node.key);
      if (order == 0) {
        return node;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /** The entry of the lowest key, null if there is none. */
  @Nullable TreeNode<K, V> first() {
    return root == null ? null : TreeNode.first(root);
  }

  /** The entry of the highest key, null if there is none. */
  @Nullable TreeNode<K, V> last() {
    return root == null ? null : TreeNode.last(root);
  }

  /** The entry of the highest key below {@code key}, null if there is none. */
  @Nullable TreeNode<K, V> lower(K key) {
    return below(key, false);
  }

  /** The entry of the highest key that is {@code key} or below, null if there is none. */
  @Nullable TreeNode<K, V> floor(K key) {
    return below(key, true);
  }

  /** The entry of the lowest key that is {@code key} or above, null if there is none. */
  @Nullable TreeNode<K, V> ceiling(K key) {
    return above(key, true);
  }

  /** The entry of the lowest key above {@code key}, null if there is none. */
  @Nullable TreeNode<K, V> higher(K key) {
    return above(key, false);
  }

  /**
   * The entry that {@code index} others lie before.
   *
   * @throws IndexOutOfBoundsException if it is not from 0 to the size, exclusive
   */
  TreeNode<K, V> at(int index) {
    TreeNode<K, V> node = root;
    int rest = Objects.checkIndex(index, size());
    while (node != null) {
      int before = TreeNode.size(node.left);
      if (rest == before) {
        return node;
      }
      if (rest < before) {
        node = node.left;
      } else {
        rest -= before + 1;
        node = node.right;
      }
    }
    throw new AssertionError("a node holds fewer entries than it says");
  }

  /** The number of keys below {@code key}: its index, where it is present. */
  int rank(K key) {
    return rank(key, false);
  }

  @Override
  public TreeCursor<K, V> cursor() {
    return cursor(0, size());
  }

  /**
   * The entries at {@code fromIndex} to {@code toIndex}, exclusive, by rising keys.
   *
   * @throws IndexOutOfBoundsException if these are no range of indexes
   */
  TreeCursor<K, V> cursor(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size());
    return TreeCursor.ascending(root, fromIndex, toIndex);
  }

  /**
   * The entries at {@code toIndex}, exclusive, down to {@code fromIndex}, by falling keys.
   *
   * @throws IndexOutOfBoundsException if these are no range of indexes
   */
  TreeCursor<K, V> descendingCursor(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size());
    return TreeCursor.descending(root, fromIndex, toIndex);
  }

  /**
   * The entries between two keys by rising keys; none if they cross.
   *
   * @param from null for no bound
   * @param to null for no bound
   */
  TreeCursor<K, V> cursor(
      @Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    int fromIndex = fromIndex(from, fromInclusive);
    return cursor(fromIndex, Math.max(fromIndex, toIndex(to, toInclusive)));
  }

  /**
   * The entries between two keys by falling keys; none if they cross.
   *
   * @param from the lower bound, null for none
   * @param to the upper bound, null for none
   */
  TreeCursor<K, V> descendingCursor(
      @Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    int fromIndex = fromIndex(from, fromInclusive);
    return descendingCursor(fromIndex, Math.max(fromIndex, toIndex(to, toInclusive)));
  }

  /** The index of the first key within the bound {@code from}, null for none. */
  int fromIndex(@Nullable K from, boolean inclusive) {
    return from == null ? 0 : rank(from, !inclusive);
  }

  /** The index behind the last key within the bound {@code to}, null for none. */
  int toIndex(@Nullable K to, boolean inclusive) {
    return to == null ? size() : rank(to, inclusive);
  }

  @Override
  public void difference(Entries<K, V> before, DifferenceVisitor<? super K, ? super V> visitor) {
    new TreeDifference<K, V>(comparator, visitor).show(((SortedTree<K, V>) before).root, root);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // The same tree needs no walk.
  public boolean hasContentsOf(Entries<K, V> other, BiPredicate<? super V, ? super V> same) {
    SortedTree<K, V> that = (SortedTree<K, V>) other;
    if (root == that.root) {
      return true;
    }
    if (size() != that.size()) {
      return false;
    }
    Cursor<K, V> left = cursor();
    Cursor<K, V> right = that.cursor();
    while (left.advance() && right.advance()) {
      if (comparator.compare(left.key(), right.key()) != 0
          || !same.test(left.value(), right.value())) {
        return false;
      }
    }
    return true;
  }

  private @Nullable TreeNode<K, V> below(K key, boolean inclusive) {
    TreeNode<K, V> best = null;
    TreeNode<K, V> node = root;
    while (node != null) {
      int order = comparator.compare(node.key, key);
      if (order < 0 || (order == 0 && inclusive)) {
        best = node;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return best;
  }

  private @Nullable TreeNode<K, V> above(K key, boolean inclusive) {
    TreeNode<K, V> best = null;
    TreeNode<K, V> node = root;
    while (node != null) {
      int order = comparator.compare(node.key, key);
      if (order > 0 || (order == 0 && inclusive)) {
        best = node;
        node = node.left;
      } else {
        node = node.right;
      }
    }
    return best;
  }

  private int rank(K key, boolean inclusive) {
    int rank = 0;
    TreeNode<K, V> node = root;
    while (node != null) {
      int order = comparator.compare(node.key, key);
      if (order < 0 || (order == 0 && inclusive)) {
        rank += TreeNode.size(node.left) + 1;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return rank;
  }

  /** Makes nodes of entries as they come: all to the left of a node before it. */
  private static final class Builder<K, V> {
    private final Comparator<? super K> comparator;
    private final Cursor<K, V> sorted;
    private @Nullable K last;

    Builder(Comparator<? super K> comparator, Cursor<K, V> sorted) {
      this.comparator = comparator;
      this.sorted = sorted;
    }

    @Nullable TreeNode<K, V> build(int size) {
      if (size == 0) {
        return null;
      }
      int leftSize = (size - 1) / 2;
      TreeNode<K, V> left = build(leftSize);
      K key = nextKey();
      V value = sorted.value();
      return new TreeNode<>(key, value, left, build(size - 1 - leftSize));
    }

    private K nextKey() {
      if (!sorted.advance()) {
        throw new MalformedException("fewer sorted entries than announced");
      }
      K key = sorted.key();
      if (last != null && comparator.compare(last, key) >= 0) {
        throw new MalformedException("a key that does not lie above the one before it");
      }
      last = key;
      return key;
    }
  }
}
