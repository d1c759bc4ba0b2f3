package dev.tempest.state.versioned;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link SortedTree}, which is an entry of it: smaller keys to the left, larger ones to
 * the right.
 *
 * <p>Balanced by weight (Nievergelt and Reingold 1973; Adams 1993), with the parameters for which
 * Hirai and Yamamoto (2011) proved insertion and deletion right, those of Haskell's Data.Map: of
 * two siblings, unless they hold one entry at most together, neither holds more than {@link #DELTA}
 * times the entries of the other. So a path has at most {@code log(size) / log(4/3) + 2} nodes.
 *
 * <p>Immutable; 32 bytes with compressed references, 48 for a {@link LeasedNode}.
 */
class TreeNode<K, V> {
  /** How many times the entries of its sibling a node may hold. */
  static final int DELTA = 3;

  /** A double rotation instead of a single one if the inner grandchild is so much larger. */
  private static final int RATIO = 2;

  final K key;
  final V value;
  final @Nullable TreeNode<K, V> left;
  final @Nullable TreeNode<K, V> right;

  /** The number of entries in this node and below. */
  final int size;

  TreeNode(K key, V value, @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
    this.key = key;
    this.value = value;
    this.left = left;
    this.right = right;
    this.size = Math.addExact(size(left), size(right)) + 1;
  }

  static <K, V> TreeNode<K, V> of(
      K key, V value, @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
    boolean isLeased =
        (value instanceof Lease lease && lease.deadlineMillis() != Lease.NEVER)
            || left instanceof LeasedNode
            || right instanceof LeasedNode;
    return isLeased
        ? new LeasedNode<>(key, value, left, right)
        : new TreeNode<>(key, value, left, right);
  }

  /** When its own entry is over. */
  final long deadlineMillis() {
    return value instanceof Lease lease ? lease.deadlineMillis() : Lease.NEVER;
  }

  /** When the first entry of it and those below is over. */
  long soonestMillis() {
    return Lease.NEVER;
  }

  /** When the last entry of it and those below is over. */
  long latestMillis() {
    return Lease.NEVER;
  }

  /** Whether something of it and below is not over by then. */
  static boolean isSeen(@Nullable TreeNode<?, ?> node, long nowMillis) {
    return node != null && node.latestMillis() > nowMillis;
  }

  /** How many entries of it and below are not over by then. */
  static int seen(@Nullable TreeNode<?, ?> node, long nowMillis) {
    if (node == null || node.latestMillis() <= nowMillis) {
      return 0;
    }
    if (node.soonestMillis() > nowMillis) {
      return node.size;
    }
    int own = node.deadlineMillis() > nowMillis ? 1 : 0;
    return seen(node.left, nowMillis) + own + seen(node.right, nowMillis);
  }

  static int size(@Nullable TreeNode<?, ?> node) {
    return node == null ? 0 : node.size;
  }

  /** The most nodes on a path from the root of a tree of {@code size} entries. */
  static int depthMax(int size) {
    return 2 + 5 * (Integer.SIZE - Integer.numberOfLeadingZeros(size)) / 2; // 2.41 per bit.
  }

  /** {@code node} with the entry, or itself if that very value is there already. */
  @SuppressWarnings("ReferenceEquality") // Whether equal values are the same is the owner's matter.
  static <K, V> TreeNode<K, V> put(
      @Nullable TreeNode<K, V> node, Comparator<? super K> comparator, K key, V value) {
    if (node == null) {
      return of(key, value, null, null);
    }
    int order = comparator.compare(key, node.key);
    if (order == 0) {
      return value == node.value ? node : of(node.key, value, node.left, node.right);
    }
    if (order < 0) {
      TreeNode<K, V> left = put(node.left, comparator, key, value);
      return left == node.left ? node : balanced(node, left, node.right);
    }
    TreeNode<K, V> right = put(node.right, comparator, key, value);
    return right == node.right ? node : balanced(node, node.left, right);
  }

  /** {@code node} without the key, or itself if it is absent. */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  static <K, V> @Nullable TreeNode<K, V> remove(
      @Nullable TreeNode<K, V> node, Comparator<? super K> comparator, K key) {
    if (node == null) {
      return null;
    }
    int order = comparator.compare(key, node.key);
    if (order == 0) {
      return glued(node.left, node.right);
    }
    if (order < 0) {
      TreeNode<K, V> left = remove(node.left, comparator, key);
      return left == node.left ? node : balanced(node, left, node.right);
    }
    TreeNode<K, V> right = remove(node.right, comparator, key);
    return right == node.right ? node : balanced(node, node.left, right);
  }

  static <K, V> TreeNode<K, V> first(TreeNode<K, V> root) {
    TreeNode<K, V> node = root;
    for (TreeNode<K, V> left = node.left; left != null; left = node.left) {
      node = left;
    }
    return node;
  }

  static <K, V> TreeNode<K, V> last(TreeNode<K, V> root) {
    TreeNode<K, V> node = root;
    for (TreeNode<K, V> right = node.right; right != null; right = node.right) {
      node = right;
    }
    return node;
  }

  /** The siblings of a node that is removed, joined. */
  private static <K, V> @Nullable TreeNode<K, V> glued(
      @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
    if (left == null) {
      return right;
    }
    if (right == null) {
      return left;
    }
    return left.size > right.size
        ? balanced(last(left), withoutLast(left), right)
        : balanced(first(right), left, withoutFirst(right));
  }

  private static <K, V> @Nullable TreeNode<K, V> withoutFirst(TreeNode<K, V> node) {
    return node.left == null ? node.right : balanced(node, withoutFirst(node.left), node.right);
  }

  private static <K, V> @Nullable TreeNode<K, V> withoutLast(TreeNode<K, V> node) {
    return node.right == null ? node.left : balanced(node, node.left, withoutLast(node.right));
  }

  /** The entry over two trees that were balanced before one entry went into or out of one. */
  private static <K, V> TreeNode<K, V> balanced(
      TreeNode<K, V> entry, @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
    int leftSize = size(left);
    int rightSize = size(right);
    if (leftSize + rightSize <= 1) {
      return of(entry.key, entry.value, left, right);
    }
    if (right != null && rightSize > (long) DELTA * leftSize) {
      return rotatedLeft(entry, left, right);
    }
    if (left != null && leftSize > (long) DELTA * rightSize) {
      return rotatedRight(entry, left, right);
    }
    return of(entry.key, entry.value, left, right);
  }

  private static <K, V> TreeNode<K, V> rotatedLeft(
      TreeNode<K, V> entry, @Nullable TreeNode<K, V> left, TreeNode<K, V> right) {
    TreeNode<K, V> inner = right.left;
    if (inner == null || inner.size < (long) RATIO * size(right.right)) {
      return of(right.key, right.value, of(entry.key, entry.value, left, inner), right.right);
    }
    return of(
        inner.key,
        inner.value,
        of(entry.key, entry.value, left, inner.left),
        of(right.key, right.value, inner.right, right.right));
  }

  private static <K, V> TreeNode<K, V> rotatedRight(
      TreeNode<K, V> entry, TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
    TreeNode<K, V> inner = left.right;
    if (inner == null || inner.size < (long) RATIO * size(left.left)) {
      return of(left.key, left.value, left.left, of(entry.key, entry.value, inner, right));
    }
    return of(
        inner.key,
        inner.value,
        of(left.key, left.value, left.left, inner.left),
        of(entry.key, entry.value, inner.right, right));
  }
}
