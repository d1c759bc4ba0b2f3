package dev.tempest.state.versioned;

/**
 * Walks over the entries of a {@link TrieMap} in their order: those of a node before those below
 * it, by rising bits of the hash.
 */
final class TrieCursor<K, V> implements Cursor<K, V> {
  private static final TrieNode[] NO_PATH = {};
  private static final int[] NO_POSITIONS = {};

  /** The nodes above this one, and where to go on in each; mostly there are none to remember. */
  private TrieNode[] path = NO_PATH;

  private int[] positions = NO_POSITIONS;
  private int depth;
  private TrieNode node;
  private int position;
  private int slot;

  TrieCursor(TrieNode root) {
    this.node = root;
  }

  @Override
  public boolean advance() {
    while (true) {
      int entrySlots = node.entrySlots();
      if (position < entrySlots) {
        slot = position;
        position += 2;
        return true;
      }
      if (position < node.slots.length) {
        descend(node.child(position - entrySlots));
      } else if (depth == 0) {
        return false;
      } else {
        node = path[--depth];
        position = positions[depth];
      }
    }
  }

  private void descend(TrieNode child) {
    if (path.length == 0) {
      path = new TrieNode[TrieNode.DEPTH_MAX];
      positions = new int[TrieNode.DEPTH_MAX];
    }
    path[depth] = node;
    positions[depth] = position + 1;
    depth++;
    node = child;
    position = 0;
  }

  @Override
  @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
  public K key() {
    return (K) node.slots[slot];
  }

  @Override
  @SuppressWarnings("unchecked") // Only values of this type were ever inserted.
  public V value() {
    return (V) node.slots[slot + 1];
  }
}
