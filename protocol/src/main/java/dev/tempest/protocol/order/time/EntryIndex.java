package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Mix;
import dev.tempest.wire.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * Finds an entry of the window by its request: an open hash table, because there may be millions
 * and each costs 8 bytes here where a map's node would cost 48.
 */
final class EntryIndex {
  private static final int CAPACITY_MIN = 16;

  /** As many as a power of two, at least half of them empty. */
  private @Nullable LogEntry[] slots = new LogEntry[CAPACITY_MIN];

  private int size;

  int size() {
    return size;
  }

  @Nullable LogEntry get(RequestId id) {
    return slots[slot(slots, id)];
  }

  /** Adds an entry, in place of the one of the same request if there is one. */
  void put(LogEntry entry) {
    if (2 * (size + 1) > slots.length) {
      resize(2 * slots.length);
    }
    int at = slot(slots, entry.entry.id());
    if (slots[at] == null) {
      size++;
    }
    slots[at] = entry;
  }

  /** Removes the entry of a request, if there is one. */
  void remove(RequestId id) {
    int hole = slot(slots, id);
    if (slots[hole] == null) {
      return;
    }
    size--;
    slots[hole] = null;
    // Whatever was pushed past the hole moves up, so that no search ends at it too early.
    int mask = slots.length - 1;
    for (int at = (hole + 1) & mask; slots[at] != null; at = (at + 1) & mask) {
      LogEntry moved = slots[at];
      if (moved != null) {
        slots[at] = null;
        slots[slot(slots, moved.entry.id())] = moved;
      }
    }
    if (slots.length > CAPACITY_MIN && 8 * size < slots.length) {
      resize(slots.length / 2);
    }
  }

  void clear() {
    slots = new LogEntry[CAPACITY_MIN];
    size = 0;
  }

  private void resize(int capacity) {
    @Nullable LogEntry[] larger = new LogEntry[capacity];
    for (LogEntry entry : slots) {
      if (entry != null) {
        larger[slot(larger, entry.entry.id())] = entry;
      }
    }
    slots = larger;
  }

  /** Where the entry of a request is, or would be. */
  private static int slot(@Nullable LogEntry[] slots, RequestId id) {
    int mask = slots.length - 1;
    int at = (int) Mix.hash(id) & mask;
    while (true) {
      LogEntry entry = slots[at];
      if (entry == null || entry.entry.id().equals(id)) {
        return at;
      }
      at = (at + 1) & mask;
    }
  }
}
