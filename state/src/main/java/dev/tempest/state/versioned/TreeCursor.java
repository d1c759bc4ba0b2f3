package dev.tempest.state.versioned;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Walks over a range of a {@link SortedTree}, up or down. */
final class TreeCursor<K, V> implements Cursor<K, V> {
  /** The nodes whose turn is still to come though something below them comes first. */
  private final @Nullable TreeNode<K, V>[] pending;

  private final long seenMillis;
  private final boolean ascending;
  private int depth;
  private int left;
  private @Nullable TreeNode<K, V> node;

  /**
   * A cursor.
   *
   * @param seenMillis what is over by then is passed over
   * @param skipped how many of the others lie before those that it walks over
   * @param count how many it walks over
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // The language has no arrays of generic types.
  TreeCursor(
      @Nullable TreeNode<K, V> root, long seenMillis, boolean ascending, int skipped, int count) {
    this.pending = new TreeNode[count == 0 ? 0 : TreeNode.depthMax(TreeNode.size(root))];
    this.seenMillis = seenMillis;
    this.ascending = ascending;
    this.left = count;
    if (count > 0) {
      seek(root, skipped);
    }
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
    TreeNode<K, V> next;
    do {
      next = Objects.requireNonNull(pending[--depth]);
      TreeNode<K, V> below = after(next);
      while (below != null && TreeNode.isSeen(below, seenMillis)) {
        pending[depth++] = below;
        below = before(below);
      }
    } while (next.deadlineMillis() <= seenMillis);
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
    while (below != null && TreeNode.isSeen(below, seenMillis)) {
      int before = rest == 0 ? 0 : TreeNode.seen(before(below), seenMillis);
      int own = below.deadlineMillis() > seenMillis ? 1 : 0;
      if (rest >= before + own && rest > 0) {
        rest -= before + own;
        below = after(below);
      } else {
        pending[depth++] = below;
        if (rest == before && rest > 0) {
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
