package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ValueType;

/**
 * Walks over the entries of a {@link TrieMap} by rising paths. The path of a key is its hash, the
 * bits that choose at the root first: unlike the order of {@link TrieCursor}, which visits entries
 * before sub-nodes, that of paths does not depend on what else the map holds.
 */
final class PathCursor<K> implements Cursor<K, Object> {
  private static final int PLACES = 1 << TrieNode.SHIFT_STEP;

  private final ValueType<K> keys;
  private final TrieNode[] nodes = new TrieNode[TrieNode.DEPTH_MAX];

  /** Per node the next place to look at; of a collision node, the next slot. */
  private final int[] next = new int[TrieNode.DEPTH_MAX];

  private int depth;
  private TrieNode node;
  private int slot;

  /** Before the first entry. */
  PathCursor(TrieMap<K, ?> map) {
    this.keys = map.keys();
    this.node = map.root;
    nodes[0] = map.root;
  }

  /** Before the first entry whose path lies after this one. */
  PathCursor(TrieMap<K, ?> map, int path) {
    this(map);
    boolean descends = true;
    while (descends && !isCollision()) {
      int place = place(path, depth);
      int bit = 1 << place;
      boolean isEntry = (node.entryMap & bit) != 0;
      descends = (node.nodeMap & bit) != 0;
      boolean isAfter = isEntry && isAfter(path, node.entrySlot(bit));
      next[depth] = isAfter ? place : place + 1;
      if (descends) {
        descend(node.childAt(bit));
      }
    }
    if (isCollision()) {
      next[depth] = node.slots.length; // All of them have this very path.
    }
  }

  /** The path of a key, to be compared as an unsigned number. */
  static int path(int hash) {
    int path = 0;
    for (int shift = 0; shift < Integer.SIZE - 2; shift += TrieNode.SHIFT_STEP) {
      path = path << TrieNode.SHIFT_STEP | ((hash >>> shift) & (PLACES - 1));
    }
    return path << 2 | hash >>> (Integer.SIZE - 2);
  }

  @Override
  public boolean advance() {
    while (true) {
      if (isCollision()) {
        if (next[depth] < node.slots.length) {
          slot = next[depth];
          next[depth] += 2;
          return true;
        }
      } else if (next[depth] < PLACES) {
        int bit = 1 << next[depth]++;
        if ((node.entryMap & bit) != 0) {
          slot = node.entrySlot(bit);
          return true;
        }
        if ((node.nodeMap & bit) != 0) {
          descend(node.childAt(bit));
        }
        continue;
      }
      if (depth == 0) {
        return false;
      }
      node = nodes[--depth];
    }
  }

  /** Whether the next entry has the same path. */
  boolean sharesPath() {
    return isCollision() && next[depth] < node.slots.length;
  }

  @Override
  @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
  public K key() {
    return (K) node.slots[slot];
  }

  @Override
  public Object value() {
    return node.slots[slot + 1];
  }

  int path() {
    return path(keys.hash(key()));
  }

  @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
  private boolean isAfter(int path, int entrySlot) {
    int ofEntry = path(keys.hash((K) node.slots[entrySlot]));
    return Integer.compareUnsigned(ofEntry, path) > 0;
  }

  private static int place(int path, int depth) {
    int shift = Integer.SIZE - (depth + 1) * TrieNode.SHIFT_STEP;
    return shift >= 0 ? (path >>> shift) & (PLACES - 1) : path & 3;
  }

  /** Below the last bits of the hash. */
  private boolean isCollision() {
    return depth == TrieNode.DEPTH_MAX - 1;
  }

  private void descend(TrieNode child) {
    node = child;
    nodes[++depth] = child;
    next[depth] = 0;
  }
}
