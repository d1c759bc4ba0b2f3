package dev.tempest.state.versioned;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Walks over a range of a {@link SortedTree}, up or down. */
final class TreeCursor<K, V> implements Cursor<K, V> {
  /** The nodes whose turn is still to come though something below them comes first. */
  private final @Nullable TreeNode<K, V>[] pending;

  private final boolean ascending;
  private int depth;
  private int left;
  private @Nullable TreeNode<K, V> node;

  @SuppressWarnings({"unchecked", "rawtypes"}) // The language has no arrays of generic types.
  private TreeCursor(@Nullable TreeNode<K, V> root, boolean ascending, int skipped, int count) {
    this.pending = new TreeNode[count == 0 ? 0 : TreeNode.depthMax(TreeNode.size(root))];
    this.ascending = ascending;
    this.left = count;
    if (count > 0) {
      seek(root, skipped);
    }
  }

  static <K, V> TreeCursor<K, V> ascending(
      @Nullable TreeNode<K, V> root, int fromIndex, int toIndex) {
    return new TreeCursor<>(root, true, fromIndex, toIndex - fromIndex);
  }

  static <K, V> TreeCursor<K, V> descending(
      @Nullable TreeNode<K, V> root, int fromIndex, int toIndex) {
    int skipped = TreeNode.size(root) - toIndex;
    return new TreeCursor<>(root, false, skipped, toIndex - fromIndex);
  }

  /** The number of entries that {@link #advance} will still go to. */
  int left() {
    return left;
  }

  @Override
  public boolean advance() {
    if (left == 0) {
      return false;
    }
    left--;
    TreeNode<K, V> next = Objects.requireNonNull(pending[--depth]);
    for (TreeNode<K, V> below = after(next); below != null; below = before(below)) {
      pending[depth++] = below;
    }
    node = next;
    return true;
  }

  @Override
  public K key() {
    return node().key;
  }

  @Override
  public V value() {
    return node().value;
  }

  /** The entry that {@link #advance} went to. */
  TreeNode<K, V> node() {
    return Objects.requireNonNull(node, "advance first");
  }

  /** Leaves the node with {@code skipped} others before it on top of {@link #pending}. */
  private void seek(@Nullable TreeNode<K, V> root, int skipped) {
    TreeNode<K, V> below = root;
    int rest = skipped;
    while (below != null) {
      int before = TreeNode.size(before(below));
      if (rest > before) {
        rest -= before + 1;
        below = after(below);
      } else {
        pending[depth++] = below;
        if (rest == before) {
          return;
        }
        below = before(below);
      }
    }
  }

  private @Nullable TreeNode<K, V> before(TreeNode<K, V> of) {
    return ascending ? of.left : of.right;
  }

  private @Nullable TreeNode<K, V> after(TreeNode<K, V> of) {
    return ascending ? of.right : of.left;
  }
}
