package dev.tempest.state.versioned;

import org.jspecify.annotations.Nullable;

/**
 * A node that is over some day, or has such a one below it: whole subtrees that are over, or that
 * are not, can be told at a glance.
 */
final class LeasedNode<K, V> extends TreeNode<K, V> {
  private final long soonest;
  private final long latest;

  LeasedNode(K key, V value, @Nullable TreeNode<K, V> left, @Nullable TreeNode<K, V> right) {
    super(key, value, left, right);
    long own = deadlineMillis();
    this.soonest = Math.min(own, Math.min(soonest(left), soonest(right)));
    this.latest = Math.max(own, Math.max(latest(left), latest(right)));
  }

  @Override
  long soonestMillis() {
    return soonest;
  }

  @Override
  long latestMillis() {
    return latest;
  }

  private static long soonest(@Nullable TreeNode<?, ?> node) {
    return node == null ? Lease.NEVER : node.soonestMillis();
  }

  private static long latest(@Nullable TreeNode<?, ?> node) {
    return node == null ? Long.MIN_VALUE : node.latestMillis();
  }
}
