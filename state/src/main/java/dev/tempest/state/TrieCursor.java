package dev.tempest.state;

/**
 * Walks over the entries of a {@link TrieMap} in their order: those of a node before those below
 * it, by rising bits of the hash.
 */
final class TrieCursor<K, V> implements Cursor<K, V> {
  private final TrieNode[] path = new TrieNode[TrieNode.DEPTH_MAX];
  private final int[] positions = new int[TrieNode.DEPTH_MAX];
  private TrieNode node;
  private int depth;
  private int slot;

  TrieCursor(TrieNode root) {
    this.node = root;
  }

  @Override
  public boolean advance() {
    int position = positions[depth];
    while (true) {
      int entrySlots = node.entrySlots();
      if (position < entrySlots) {
        slot = position;
        positions[depth] = position + 2;
        return true;
      }
      if (position < node.slots.length) {
        positions[depth] = position + 1;
        path[depth++] = node;
        node = node.child(position - entrySlots);
        position = 0;
      } else if (depth == 0) {
        return false;
      } else {
        node = path[--depth];
        position = positions[depth];
      }
    }
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
