package dev.tempest.state.versioned;

import java.util.Comparator;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A persistent sorted map that also knows the place of every key: a weight-balanced tree of {@link
 * TreeNode}s. Every operation on one key, and on one place, takes time logarithmic in the size.
 *
 * <p>It may pass over what is over by some time: such entries have no place, and take no time worth
 * mentioning, but for the counting of places where what is over and what is not lie mixed.
 *
 * <p>Keys are the same if the comparator says 0. Equal contents iterate in the same order; the
 * shape of the tree depends on its history. Immutable and thread-safe.
 */
final class SortedTree<K, V> implements Entries<K, V> {
  private final Comparator<? super K> comparator;
  final @Nullable TreeNode<K, V> root;

  /** What is over by then is passed over. */
  private final long seenMillis;

  private final int size;

  private SortedTree(
      Comparator<? super K> comparator, @Nullable TreeNode<K, V> root, long seenMillis, int size) {
    this.comparator = comparator;
    this.root = root;
    this.seenMillis = seenMillis;
    this.size = size;
  }

  static <K, V> SortedTree<K, V> empty(Comparator<? super K> comparator) {
    return new SortedTree<>(comparator, null, Long.MIN_VALUE, 0);
  }

  /** The same entries with a comparator that orders them alike. */
  SortedTree<K, V> orderedBy(Comparator<? super K> alike) {
    return new SortedTree<>(alike, root, seenMillis, size);
  }

  /**
   * These entries but for those that are over by then.
   *
   * @param count how many that are
   */
  SortedTree<K, V> seenAt(long nowMillis, int count) {
    return new SortedTree<>(comparator, root, nowMillis, count);
  }

  private SortedTree<K, V> with(@Nullable TreeNode<K, V> changed) {
    return new SortedTree<>(comparator, changed, seenMillis, TreeNode.seen(changed, seenMillis));
  }

  Comparator<? super K> comparator() {
    return comparator;
  }

  @Override
  public int size() {
    return size;
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
    return changed == root ? this : with(changed);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  public SortedTree<K, V> remove(K key) {
    TreeNode<K, V> changed = TreeNode.remove(root, comparator, key);
    return changed == root ? this : with(changed);
  }

  /** The entry of {@code key}, null if it is absent. */
  @Nullable TreeNode<K, V> find(K key) {
    TreeNode<K, V> node = root;
    while (node != null) {
      int order = comparator.compare(key, node.key);
      if (order == 0) {
        return isSeen(node) ? node : null;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /** The entry of the lowest key, null if there is none. */
  @Nullable TreeNode<K, V> first() {
    return first(root);
  }

  /** The entry of the highest key, null if there is none. */
  @Nullable TreeNode<K, V> last() {
    return last(root);
  }

  /** The entry of the highest key below {@code key}, null if there is none. */
  @Nullable TreeNode<K, V> lower(K key) {
    return below(root, key, false);
  }

  /** The entry of the highest key that is {@code key} or below, null if there is none. */
  @Nullable TreeNode<K, V> floor(K key) {
    return below(root, key, true);
  }

  /** The entry of the lowest key that is {@code key} or above, null if there is none. */
  @Nullable TreeNode<K, V> ceiling(K key) {
    return above(root, key, true);
  }

  /** The entry of the lowest key above {@code key}, null if there is none. */
  @Nullable TreeNode<K, V> higher(K key) {
    return above(root, key, false);
  }

  /**
   * The entry that {@code index} others lie before.
   *
   * @throws IndexOutOfBoundsException if it is not from 0 to the size, exclusive
   */
  TreeNode<K, V> at(int index) {
    int rest = Objects.checkIndex(index, size);
    // The ends need no counting.
    TreeNode<K, V> node = index == 0 ? first(root) : index == size - 1 ? last(root) : root;
    while (node != null && index != 0 && index != size - 1) {
      int before = TreeNode.seen(node.left, seenMillis);
      if (rest < before) {
        node = node.left;
      } else if (rest == before && isSeen(node)) {
        return node;
      } else {
        rest -= before + (isSeen(node) ? 1 : 0);
        node = node.right;
      }
    }
    return Objects.requireNonNull(node, "a node holds fewer entries than it says");
  }

  /** The number of keys below {@code key}: its index, where it is present. */
  int rank(K key) {
    return rank(key, false);
  }

  @Override
  public SortedTree<K, V> of(StoredType<K> alike) {
    return orderedBy(alike::compare);
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
    return new TreeCursor<>(root, seenMillis, true, fromIndex, toIndex - fromIndex);
  }

  /**
   * The entries at {@code toIndex}, exclusive, down to {@code fromIndex}, by falling keys.
   *
   * @throws IndexOutOfBoundsException if these are no range of indexes
   */
  TreeCursor<K, V> descendingCursor(int fromIndex, int toIndex) {
    Objects.checkFromToIndex(fromIndex, toIndex, size());
    return new TreeCursor<>(root, seenMillis, false, size - toIndex, toIndex - fromIndex);
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

  private @Nullable TreeNode<K, V> below(@Nullable TreeNode<K, V> node, K key, boolean inclusive) {
    if (node == null) {
      return null;
    }
    int order = comparator.compare(node.key, key);
    if (order > 0 || (order == 0 && !inclusive)) {
      return below(node.left, key, inclusive);
    }
    TreeNode<K, V> nearer = below(node.right, key, inclusive);
    return nearer != null ? nearer : isSeen(node) ? node : last(node.left);
  }

  private @Nullable TreeNode<K, V> above(@Nullable TreeNode<K, V> node, K key, boolean inclusive) {
    if (node == null) {
      return null;
    }
    int order = comparator.compare(node.key, key);
    if (order < 0 || (order == 0 && !inclusive)) {
      return above(node.right, key, inclusive);
    }
    TreeNode<K, V> nearer = above(node.left, key, inclusive);
    return nearer != null ? nearer : isSeen(node) ? node : first(node.right);
  }

  private @Nullable TreeNode<K, V> first(@Nullable TreeNode<K, V> from) {
    TreeNode<K, V> node = from;
    while (node != null && (TreeNode.isSeen(node.left, seenMillis) || !isSeen(node))) {
      node = TreeNode.isSeen(node.left, seenMillis) ? node.left : node.right;
    }
    return node;
  }

  private @Nullable TreeNode<K, V> last(@Nullable TreeNode<K, V> from) {
    TreeNode<K, V> node = from;
    while (node != null && (TreeNode.isSeen(node.right, seenMillis) || !isSeen(node))) {
      node = TreeNode.isSeen(node.right, seenMillis) ? node.right : node.left;
    }
    return node;
  }

  /** Whether the entry of the node itself is not passed over. */
  private boolean isSeen(TreeNode<K, V> node) {
    return node.deadlineMillis() > seenMillis;
  }

  private int rank(K key, boolean inclusive) {
    int rank = 0;
    TreeNode<K, V> node = root;
    while (node != null) {
      int order = comparator.compare(node.key, key);
      if (order < 0 || (order == 0 && inclusive)) {
        rank += TreeNode.seen(node.left, seenMillis) + (isSeen(node) ? 1 : 0);
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return rank;
  }
}
