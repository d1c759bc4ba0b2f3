package dev.tempest.state.versioned;

import org.jspecify.annotations.Nullable;

/**
 * The root of a keyed object: its entries, each a value, a {@link Lease} or {@link Unmerged}, and
 * the deadlines of the leases, soonest first.
 *
 * @param special how many entries are something else than a value that can be read: where there is
 *     none, and mostly there is none, a value need not be looked at to be given out
 * @param unmerged how many of those wait to be merged
 * @param order of a sorted object that has the order of a user's class: its entries lie by hash
 */
record Keyed<K>(
    Entries<K, Object> entries,
    SortedTree<Deadline<K>, Present> deadlines,
    int special,
    int unmerged,
    @Nullable UserOrder<K> order) {
  /** What has come of it. */
  Keyed<K> with(
      Entries<K, Object> newEntries,
      SortedTree<Deadline<K>, Present> newDeadlines,
      int newSpecial,
      int newUnmerged) {
    return new Keyed<>(
        newEntries,
        newDeadlines,
        newSpecial,
        newUnmerged,
        order == null ? null : order.of(newEntries));
  }

  int size() {
    return entries.size();
  }

  /** The entries of a sorted object that are not over by then. */
  SortedTree<K, Object> sortedAt(long nowMillis) {
    SortedTree<K, Object> tree = order == null ? (SortedTree<K, Object>) entries : order.tree();
    int count = sizeAt(nowMillis);
    return count == size() ? tree : tree.seenAt(nowMillis, count);
  }

  /** How many entries are not over by then. */
  int sizeAt(long nowMillis) {
    TreeNode<Deadline<K>, Present> soonest = deadlines.first();
    return soonest == null
        ? size()
        : size() - deadlines.rank(Deadline.after(nowMillis, soonest.key.key()));
  }
}
