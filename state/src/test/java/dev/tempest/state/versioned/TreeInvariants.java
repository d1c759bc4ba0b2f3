package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;

/** What has to hold in every {@link SortedTree}. */
final class TreeInvariants {
  private TreeInvariants() {}

  static <K, V> void check(SortedTree<K, V> tree) {
    assertThat(depth(tree.root))
        .as("the depth that cursors count on")
        .isLessThanOrEqualTo(TreeNode.depthMax(tree.size()));
    checkNode(tree.root);
    @Nullable K last = null;
    TreeCursor<K, V> cursor = tree.cursor();
    while (cursor.advance()) {
      if (last != null) {
        assertThat(tree.comparator().compare(last, cursor.key())).as("order").isNegative();
      }
      last = cursor.key();
    }
  }

  private static void checkNode(@Nullable TreeNode<?, ?> node) {
    if (node == null) {
      return;
    }
    int left = TreeNode.size(node.left);
    int right = TreeNode.size(node.right);
    assertThat(node.size).as("size").isEqualTo(left + right + 1);
    if (left + right > 1) {
      assertThat(left).as("left beside %s", right).isLessThanOrEqualTo(TreeNode.DELTA * right);
      assertThat(right).as("right beside %s", left).isLessThanOrEqualTo(TreeNode.DELTA * left);
    }
    checkNode(node.left);
    checkNode(node.right);
  }

  private static int depth(@Nullable TreeNode<?, ?> node) {
    return node == null ? 0 : 1 + Math.max(depth(node.left), depth(node.right));
  }
}
