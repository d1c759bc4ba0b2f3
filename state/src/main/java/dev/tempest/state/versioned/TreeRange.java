package dev.tempest.state.versioned;

/**
 * The entries of a tree from one index to another, exclusive, in one direction. Immutable and
 * thread-safe.
 */
record TreeRange<K, V>(SortedTree<K, V> tree, int fromIndex, int toIndex, boolean descending) {
  int size() {
    return toIndex - fromIndex;
  }

  TreeCursor<K, V> cursor() {
    return descending ? tree.descendingCursor(fromIndex, toIndex) : tree.cursor(fromIndex, toIndex);
  }

  /** Without its first {@code count} entries. */
  TreeRange<K, V> after(int count) {
    return descending
        ? new TreeRange<>(tree, fromIndex, toIndex - count, true)
        : new TreeRange<>(tree, fromIndex + count, toIndex, false);
  }

  /** Its first {@code count} entries only. */
  TreeRange<K, V> first(int count) {
    return descending
        ? new TreeRange<>(tree, toIndex - count, toIndex, true)
        : new TreeRange<>(tree, fromIndex, fromIndex + count, false);
  }
}
