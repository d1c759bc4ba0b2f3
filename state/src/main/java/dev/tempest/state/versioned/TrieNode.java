package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link TrieMap}: 5 bits of the hash choose one of 32 places, each empty, an entry or
 * a sub-node.
 *
 * <p>The slots hold the entries first, key beside value, by rising place, and the sub-nodes last,
 * by falling place. Below the last bits of the hash lies a collision node: no maps, entries only,
 * in the order of {@link ValueType#compareContents}. Outside the root no node holds just one entry
 * and nothing else: it stands in the parent in place of the node. So equal contents have equal
 * structure.
 *
 * <p>Immutable. Nodes do not know their depth; the caller says it as the {@code shift} of the hash.
 */
final class TrieNode {
  /** The shift at which the 32 bits of the hash are used up and keys collide. */
  static final int SHIFT_END = 35;

  /** The most nodes on a path from the root: 7 with maps and a collision node. */
  static final int DEPTH_MAX = 8;

  static final TrieNode EMPTY = new TrieNode(0, 0, new Object[0]);

  static final int SHIFT_STEP = 5;

  /** Up to so many colliding keys, comparing each is faster than halving. */
  private static final int COMPARED_MAX = 8;

  final int entryMap;
  final int nodeMap;
  final Object[] slots;

  private TrieNode(int entryMap, int nodeMap, Object[] slots) {
    this.entryMap = entryMap;
    this.nodeMap = nodeMap;
    this.slots = slots;
  }

  /** The number of slots that hold keys and values; sub-nodes lie behind. */
  int entrySlots() {
    return slots.length - Integer.bitCount(nodeMap);
  }

  /** The sub-node in the {@code number}th place that has one, counted from 0. */
  TrieNode child(int number) {
    return (TrieNode) slots[slots.length - 1 - number];
  }

  /** The value of {@code key} below {@code root}, null if it is absent. */
  @SuppressWarnings({"ReferenceEquality", "unchecked"}) // Only first; keys of this type are here.
  static <K> @Nullable Object find(ValueType<K> keys, TrieNode root, K key, int hash) {
    TrieNode node = root;
    for (int shift = 0; shift < SHIFT_END; shift += SHIFT_STEP) {
      int bit = 1 << (hash >>> shift); // Java shifts by the lowest 5 bits only.
      Object[] slots = node.slots;
      if ((node.entryMap & bit) != 0) {
        int slot = entrySlot(node.entryMap, bit);
        Object found = slots[slot];
        // Most keys are found by the very object: then it need not be fetched from memory.
        return found == key || keys.isSame((K) found, key) ? slots[slot + 1] : null;
      }
      if ((node.nodeMap & bit) == 0) {
        return null;
      }
      node = (TrieNode) slots[slots.length - 1 - Integer.bitCount(node.nodeMap & (bit - 1))];
    }
    int slot = node.collidingSlot(keys, key);
    return slot < 0 ? null : node.slots[slot + 1];
  }

  /** This node with an entry whose key it does not hold. */
  <K> TrieNode insert(ValueType<K> keys, K key, int hash, Object value, int shift) {
    if (shift >= SHIFT_END) {
      return insertColliding(keys, key, value);
    }
    int bit = 1 << (hash >>> shift);
    if ((nodeMap & bit) != 0) {
      int slot = childSlot(bit);
      TrieNode child = (TrieNode) slots[slot];
      return withSlot(slot, child.insert(keys, key, hash, value, shift + SHIFT_STEP));
    }
    int slot = entrySlot(entryMap, bit);
    if ((entryMap & bit) == 0) {
      return new TrieNode(entryMap | bit, nodeMap, inserted(slots, slot, key, value));
    }
    @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
    K other = (K) slots[slot];
    int otherHash = keys.hash(other);
    Object otherValue = slots[slot + 1];
    TrieNode both = pair(keys, other, otherHash, otherValue, key, hash, value, shift + SHIFT_STEP);
    return entryToChild(bit, slot, both);
  }

  /** This node with another value for a key that it holds. */
  <K> TrieNode replace(ValueType<K> keys, K key, int hash, Object value, int shift) {
    if (shift >= SHIFT_END) {
      return withSlot(collidingSlot(keys, key) + 1, value);
    }
    int bit = 1 << (hash >>> shift);
    if ((entryMap & bit) != 0) {
      return withSlot(entrySlot(entryMap, bit) + 1, value);
    }
    int slot = childSlot(bit);
    TrieNode child = (TrieNode) slots[slot];
    return withSlot(slot, child.replace(keys, key, hash, value, shift + SHIFT_STEP));
  }

  /** This node without a key that it holds. */
  <K> TrieNode remove(ValueType<K> keys, K key, int hash, int shift) {
    if (shift >= SHIFT_END) {
      return new TrieNode(0, 0, removed(slots, collidingSlot(keys, key)));
    }
    int bit = 1 << (hash >>> shift);
    if ((entryMap & bit) != 0) {
      if (slots.length == 2) {
        return EMPTY;
      }
      return new TrieNode(entryMap ^ bit, nodeMap, removed(slots, entrySlot(entryMap, bit)));
    }
    int slot = childSlot(bit);
    TrieNode child = ((TrieNode) slots[slot]).remove(keys, key, hash, shift + SHIFT_STEP);
    return child.isSingleEntry() ? childToEntry(bit, slot, child) : withSlot(slot, child);
  }

  /** True if this node holds one entry and nothing else, which only a root may. */
  boolean isSingleEntry() {
    return slots.length == 2 && nodeMap == 0;
  }

  /** The slot of the entry in the place of {@code bit}, which has one. */
  int entrySlot(int bit) {
    return entrySlot(entryMap, bit);
  }

  /** The sub-node in the place of {@code bit}, which has one. */
  TrieNode childAt(int bit) {
    return (TrieNode) slots[childSlot(bit)];
  }

  private static int entrySlot(int entryMap, int bit) {
    return Integer.bitCount(entryMap & (bit - 1)) << 1;
  }

  private int childSlot(int bit) {
    return slots.length - 1 - Integer.bitCount(nodeMap & (bit - 1));
  }

  @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
  private <K> int collidingSlot(ValueType<K> keys, K key) {
    if (slots.length > 2 * COMPARED_MAX) {
      int slot = slotFrom(keys, key);
      return slot < slots.length && keys.isSame((K) slots[slot], key) ? slot : -1;
    }
    for (int slot = 0; slot < slots.length; slot += 2) {
      if (keys.isSame((K) slots[slot], key)) {
        return slot;
      }
    }
    return -1;
  }

  private <K> TrieNode insertColliding(ValueType<K> keys, K key, Object value) {
    return new TrieNode(0, 0, inserted(slots, slotFrom(keys, key), key, value));
  }

  /** The slot of the first colliding key that does not lie before {@code key}. */
  @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
  private <K> int slotFrom(ValueType<K> keys, K key) {
    int low = 0;
    int high = slots.length >> 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compareContents((K) slots[middle << 1], key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low << 1;
  }

  /** The node of two entries with different keys. */
  private static <K> TrieNode pair(
      ValueType<K> keys,
      K key1,
      int hash1,
      Object value1,
      K key2,
      int hash2,
      Object value2,
      int shift) {
    if (shift >= SHIFT_END) {
      return new TrieNode(0, 0, new Object[] {key1, value1}).insertColliding(keys, key2, value2);
    }
    int place1 = (hash1 >>> shift) & 31;
    int place2 = (hash2 >>> shift) & 31;
    if (place1 == place2) {
      TrieNode child = pair(keys, key1, hash1, value1, key2, hash2, value2, shift + SHIFT_STEP);
      return new TrieNode(0, 1 << place1, new Object[] {child});
    }
    return new TrieNode(
        1 << place1 | 1 << place2,
        0,
        place1 < place2
            ? new Object[] {key1, value1, key2, value2}
            : new Object[] {key2, value2, key1, value1});
  }

  private TrieNode withSlot(int slot, Object content) {
    Object[] copy = slots.clone();
    copy[slot] = content;
    return new TrieNode(entryMap, nodeMap, copy);
  }

  private TrieNode entryToChild(int bit, int slot, TrieNode child) {
    Object[] copy = new Object[slots.length - 1];
    // The slot of the sub-node once the two of the entry are gone.
    int childSlot = slots.length - 2 - Integer.bitCount(nodeMap & (bit - 1));
    System.arraycopy(slots, 0, copy, 0, slot);
    System.arraycopy(slots, slot + 2, copy, slot, childSlot - slot);
    copy[childSlot] = child;
    System.arraycopy(slots, childSlot + 2, copy, childSlot + 1, slots.length - childSlot - 2);
    return new TrieNode(entryMap ^ bit, nodeMap | bit, copy);
  }

  private TrieNode childToEntry(int bit, int childSlot, TrieNode child) {
    Object[] copy = new Object[slots.length + 1];
    int slot = entrySlot(entryMap, bit);
    System.arraycopy(slots, 0, copy, 0, slot);
    copy[slot] = child.slots[0];
    copy[slot + 1] = child.slots[1];
    System.arraycopy(slots, slot, copy, slot + 2, childSlot - slot);
    System.arraycopy(slots, childSlot + 1, copy, childSlot + 2, slots.length - childSlot - 1);
    return new TrieNode(entryMap | bit, nodeMap ^ bit, copy);
  }

  private static Object[] inserted(Object[] slots, int slot, Object key, Object value) {
    Object[] copy = new Object[slots.length + 2];
    System.arraycopy(slots, 0, copy, 0, slot);
    copy[slot] = key;
    copy[slot + 1] = value;
    System.arraycopy(slots, slot, copy, slot + 2, slots.length - slot);
    return copy;
  }

  private static Object[] removed(Object[] slots, int slot) {
    Object[] copy = new Object[slots.length - 2];
    System.arraycopy(slots, 0, copy, 0, slot);
    System.arraycopy(slots, slot + 2, copy, slot, copy.length - slot);
    return copy;
  }
}
