package dev.tempest.state.versioned;

/** Numbers other than 0, in an open hash table: they are hashes themselves. */
final class NumberSet {
  private static final int CAPACITY_MIN = 16;

  /** As many as a power of two, at least half of them 0, which stands for none. */
  private int[] slots = new int[CAPACITY_MIN];

  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  boolean contains(int number) {
    return slots[slot(slots, number)] == number;
  }

  void add(int number) {
    if (2 * (size + 1) > slots.length) {
      int[] larger = new int[2 * slots.length];
      for (int each : slots) {
        larger[slot(larger, each)] = each;
      }
      slots = larger;
    }
    int at = slot(slots, number);
    size += slots[at] == 0 ? 1 : 0;
    slots[at] = number;
  }

  void clear() {
    slots = new int[CAPACITY_MIN];
    size = 0;
  }

  /** Where a number is, or would be. */
  private static int slot(int[] slots, int number) {
    int mask = slots.length - 1;
    int at = number & mask;
    while (slots[at] != 0 && slots[at] != number) {
      at = (at + 1) & mask;
    }
    return at;
  }
}
