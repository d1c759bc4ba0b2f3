package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Entries.DifferenceVisitor;
import dev.tempest.values.encoding.ValueType;

/** Shows the differences of two tries place by place, and passes over the nodes that both share. */
final class TrieDifference<K, V> {
  private final ValueType<K> keys;
  private final DifferenceVisitor<? super K, ? super V> visitor;

  TrieDifference(ValueType<K> keys, DifferenceVisitor<? super K, ? super V> visitor) {
    this.keys = keys;
    this.visitor = visitor;
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  void show(TrieNode before, TrieNode after, int shift) {
    if (before == after) {
      return;
    }
    if (shift >= TrieNode.SHIFT_END) {
      showColliding(before, after);
      return;
    }
    if (before.entryMap == after.entryMap && before.nodeMap == after.nodeMap) {
      showAlike(before, after, shift);
      return;
    }
    int places = before.entryMap | before.nodeMap | after.entryMap | after.nodeMap;
    while (places != 0) {
      int bit = Integer.lowestOneBit(places);
      places ^= bit;
      showPlace(before, after, bit, shift);
    }
  }

  /** Both have entries and children at the same places: mostly all but one are the very same. */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  private void showAlike(TrieNode before, TrieNode after, int shift) {
    Object[] was = before.slots;
    Object[] is = after.slots;
    int entrySlots = after.entrySlots();
    for (int slot = 0; slot < entrySlots; slot += 2) {
      if (was[slot] != is[slot] || was[slot + 1] != is[slot + 1]) {
        showEntries(before, slot, after, slot);
      }
    }
    for (int slot = entrySlots; slot < is.length; slot++) {
      if (was[slot] != is[slot]) {
        show((TrieNode) was[slot], (TrieNode) is[slot], shift + TrieNode.SHIFT_STEP);
      }
    }
  }

  private void showPlace(TrieNode before, TrieNode after, int bit, int shift) {
    TrieNode oldChild = (before.nodeMap & bit) == 0 ? null : before.childAt(bit);
    TrieNode newChild = (after.nodeMap & bit) == 0 ? null : after.childAt(bit);
    int oldSlot = (before.entryMap & bit) == 0 ? -1 : before.entrySlot(bit);
    int newSlot = (after.entryMap & bit) == 0 ? -1 : after.entrySlot(bit);
    if (oldChild != null && newChild != null) {
      show(oldChild, newChild, shift + TrieNode.SHIFT_STEP);
    } else if (oldChild != null) {
      showGone(oldChild, after, newSlot);
    } else if (newChild != null) {
      showCome(before, oldSlot, newChild);
    } else if (oldSlot < 0) {
      visitor.visit(key(after, newSlot), null, value(after, newSlot));
    } else if (newSlot < 0) {
      visitor.visit(key(before, oldSlot), value(before, oldSlot), null);
    } else {
      showEntries(before, oldSlot, after, newSlot);
    }
  }

  private void showEntries(TrieNode before, int oldSlot, TrieNode after, int newSlot) {
    if (keys.isSame(key(before, oldSlot), key(after, newSlot))) {
      showValues(before, oldSlot, after, newSlot);
    } else {
      visitor.visit(key(before, oldSlot), value(before, oldSlot), null);
      visitor.visit(key(after, newSlot), null, value(after, newSlot));
    }
  }

  /** All of {@code child} went, but maybe for the one entry at {@code slot}, -1 for none. */
  private void showGone(TrieNode child, TrieNode after, int slot) {
    boolean alone = slot >= 0;
    TrieCursor<K, V> cursor = new TrieCursor<>(child);
    while (cursor.advance()) {
      if (slot >= 0 && keys.isSame(cursor.key(), key(after, slot))) {
        alone = false;
        showValues(cursor.key(), cursor.value(), value(after, slot));
      } else {
        visitor.visit(cursor.key(), cursor.value(), null);
      }
    }
    if (alone) {
      visitor.visit(key(after, slot), null, value(after, slot));
    }
  }

  /** All of {@code child} came, but maybe for the one entry at {@code slot}, -1 for none. */
  private void showCome(TrieNode before, int slot, TrieNode child) {
    boolean alone = slot >= 0;
    TrieCursor<K, V> cursor = new TrieCursor<>(child);
    while (cursor.advance()) {
      if (slot >= 0 && keys.isSame(cursor.key(), key(before, slot))) {
        alone = false;
        showValues(cursor.key(), value(before, slot), cursor.value());
      } else {
        visitor.visit(cursor.key(), null, cursor.value());
      }
    }
    if (alone) {
      visitor.visit(key(before, slot), value(before, slot), null);
    }
  }

  /** Both are sorted alike: a merge. */
  private void showColliding(TrieNode before, TrieNode after) {
    int oldSlot = 0;
    int newSlot = 0;
    while (oldSlot < before.slots.length || newSlot < after.slots.length) {
      int order = order(before, oldSlot, after, newSlot);
      if (order < 0) {
        visitor.visit(key(before, oldSlot), value(before, oldSlot), null);
        oldSlot += 2;
      } else if (order > 0) {
        visitor.visit(key(after, newSlot), null, value(after, newSlot));
        newSlot += 2;
      } else {
        showValues(before, oldSlot, after, newSlot);
        oldSlot += 2;
        newSlot += 2;
      }
    }
  }

  private int order(TrieNode before, int oldSlot, TrieNode after, int newSlot) {
    if (oldSlot == before.slots.length) {
      return 1;
    }
    if (newSlot == after.slots.length) {
      return -1;
    }
    return keys.compareContents(key(before, oldSlot), key(after, newSlot));
  }

  private void showValues(TrieNode before, int oldSlot, TrieNode after, int newSlot) {
    showValues(key(after, newSlot), value(before, oldSlot), value(after, newSlot));
  }

  @SuppressWarnings("ReferenceEquality") // Whether equal values are the same is the owner's matter.
  private void showValues(K key, V oldValue, V newValue) {
    if (oldValue != newValue) {
      visitor.visit(key, oldValue, newValue);
    }
  }

  @SuppressWarnings("unchecked") // Only keys of this type were ever inserted.
  private K key(TrieNode node, int slot) {
    return (K) node.slots[slot];
  }

  @SuppressWarnings("unchecked") // Only values of this type were ever inserted.
  private V value(TrieNode node, int slot) {
    return (V) node.slots[slot + 1];
  }
}
