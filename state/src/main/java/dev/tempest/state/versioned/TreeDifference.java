package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Entries.DifferenceVisitor;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Shows the differences of two sorted trees by rising keys: splits the earlier one at the root of
 * the later one, then left and right likewise, and passes over what both share.
 *
 * <p>Splitting does not balance what it makes: that keeps the shape, and by it the shared subtrees
 * in sight, and no part is deeper than the whole was.
 */
final class TreeDifference<K, V> {
  private final Comparator<? super K> comparator;
  private final DifferenceVisitor<? super K, ? super V> visitor;

  /** The results of {@link #split}. */
  private @Nullable TreeNode<K, V> below;

  private @Nullable TreeNode<K, V> found;
  private @Nullable TreeNode<K, V> above;

  TreeDifference(
      Comparator<? super K> comparator, DifferenceVisitor<? super K, ? super V> visitor) {
    this.comparator = comparator;
    this.visitor = visitor;
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  void show(@Nullable TreeNode<K, V> before, @Nullable TreeNode<K, V> after) {
    if (before == after) {
      return;
    }
    if (after == null) {
      showRemoved(before);
      return;
    }
    if (before == null) {
      show(null, after.left);
      visitor.visit(after.key, null, after.value);
      show(null, after.right);
      return;
    }
    split(before, after.key);
    TreeNode<K, V> old = found;
    TreeNode<K, V> oldAbove = above; // The next split overwrites it.
    show(below, after.left);
    if (old == null || old.value != after.value) {
      visitor.visit(after.key, old == null ? null : old.value, after.value);
    }
    show(oldAbove, after.right);
  }

  private void showRemoved(@Nullable TreeNode<K, V> removed) {
    if (removed != null) {
      showRemoved(removed.left);
      visitor.visit(removed.key, removed.value, null);
      showRemoved(removed.right);
    }
  }

  private void split(@Nullable TreeNode<K, V> node, K key) {
    if (node == null) {
      below = null;
      found = null;
      above = null;
      return;
    }
    int order = comparator.compare(key, node.key);
    if (order == 0) {
      below = node.left;
      found = node;
      above = node.right;
    } else if (order < 0) {
      split(node.left, key);
      above = TreeNode.of(node.key, node.value, above, node.right);
    } else {
      split(node.right, key);
      below = TreeNode.of(node.key, node.value, node.left, below);
    }
  }
}
