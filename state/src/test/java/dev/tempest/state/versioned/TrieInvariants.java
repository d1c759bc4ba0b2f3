package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.ValueType;

/** What has to hold in every {@link TrieMap}, and its structure as text. */
final class TrieInvariants {
  private TrieInvariants() {}

  static <K, V> void check(TrieMap<K, V> map) {
    assertThat(check(map.keys(), map.root, 0, 0)).as("entries").isEqualTo(map.size());
  }

  static String structure(TrieMap<?, ?> map) {
    StringBuilder text = new StringBuilder();
    append(map.root, text);
    return text.toString();
  }

  @SuppressWarnings("unchecked")
  private static <K> int check(ValueType<K> keys, TrieNode node, int shift, int prefix) {
    if (shift > 0) {
      assertThat(node.isSingleEntry()).as("a lonely entry stands in the parent").isFalse();
      assertThat(node.slots).as("only a root is empty").isNotEmpty();
    }
    int entries = node.entrySlots() / 2;
    for (int entry = 0; entry < entries; entry++) {
      int hash = keys.hash((K) node.slots[2 * entry]);
      int place = shift < TrieNode.SHIFT_END ? place(node.entryMap, entry) << shift : 0;
      int known = shift + 5 >= 32 ? -1 : (1 << (shift + 5)) - 1;
      assertThat(hash & known).as("the hash leads here").isEqualTo(prefix | place);
    }
    if (shift >= TrieNode.SHIFT_END) {
      assertThat(node.entryMap | node.nodeMap).as("a collision node has no maps").isZero();
      for (int entry = 1; entry < entries; entry++) {
        assertThat(keys.compareContents((K) node.slots[2 * entry - 2], (K) node.slots[2 * entry]))
            .as("colliding keys are in order")
            .isNegative();
      }
      return entries;
    }
    assertThat(node.entryMap & node.nodeMap).as("a place is one thing").isZero();
    assertThat(entries).isEqualTo(Integer.bitCount(node.entryMap));
    int sum = entries;
    for (int child = 0; child < Integer.bitCount(node.nodeMap); child++) {
      int childPrefix = prefix | place(node.nodeMap, child) << shift;
      sum += check(keys, node.child(child), shift + 5, childPrefix);
    }
    return sum;
  }

  /** The place of the {@code number}th bit that is set. */
  private static int place(int map, int number) {
    int rest = map;
    for (int i = 0; i < number; i++) {
      rest &= rest - 1;
    }
    return Integer.numberOfTrailingZeros(rest);
  }

  private static void append(TrieNode node, StringBuilder text) {
    text.append(Integer.toHexString(node.entryMap)).append('/');
    text.append(Integer.toHexString(node.nodeMap)).append('(');
    for (int slot = 0; slot < node.entrySlots(); slot++) {
      text.append(node.slots[slot]).append(' ');
    }
    for (int child = 0; child < Integer.bitCount(node.nodeMap); child++) {
      append(node.child(child), text);
    }
    text.append(')');
  }
}
