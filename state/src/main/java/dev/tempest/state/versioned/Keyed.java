package dev.tempest.state.versioned;

/**
 * The root of a keyed object: its entries, each a value, a {@link Lease} or {@link Unmerged}, and
 * the deadlines of the leases, soonest first.
 *
 * @param special how many entries are something else than a value that can be read: where there is
 *     none, and mostly there is none, a value need not be looked at to be given out
 */
record Keyed<K>(
    Entries<K, Object> entries, SortedTree<Deadline<K>, Present> deadlines, int special) {
  int size() {
    return entries.size();
  }

  /** The entries of a sorted object that are not over by then. */
  SortedTree<K, Object> sortedAt(long nowMillis) {
    SortedTree<K, Object> tree = (SortedTree<K, Object>) entries;
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
