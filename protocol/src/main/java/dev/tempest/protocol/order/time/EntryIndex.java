package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.wire.RequestId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds an entry of the window by its request, and knows which requests there are of each client.
 *
 * <p>There may be millions, and each client numbers its own without gaps. So entries lie in blocks
 * of neighbouring numbers, found through an open hash table: an entry next to the one before it is
 * found without a search, and takes about 8 bytes where a map's node would take 48.
 */
final class EntryIndex {
  private static final int BLOCK_BITS = 4;
  private static final int BLOCK_ENTRIES = 1 << BLOCK_BITS;
  private static final int CAPACITY_MIN = 16;

  /** As many as a power of two, at least half of them empty. */
  private @Nullable Block[] slots = new Block[CAPACITY_MIN];

  private int blocks;
  private int size;
  private long sizeBytes;
  private IdSet ids = new IdSet();

  /** The block of the entry last asked for: mostly that of the next, too. */
  private @Nullable Block recent;

  int size() {
    return size;
  }

  /** What the entries take in memory, about. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Those that are here take so many bytes more than before. */
  void grow(long bytes) {
    sizeBytes += bytes;
  }

  /** The requests of all entries; for reading. */
  IdSet ids() {
    return ids;
  }

  @Nullable LogEntry get(RequestId id) {
    Block block = block(id);
    return block == null ? null : block.entries[place(id)];
  }

  /** Adds an entry, in place of the one of the same request if there is one. */
  void put(LogEntry entry) {
    RequestId id = entry.entry.id();
    Block known = block(id);
    Block block = known == null ? addBlock(id) : known;
    int place = place(id);
    LogEntry before = block.entries[place];
    if (before == null) {
      block.count++;
      size++;
      ids.add(id);
    } else {
      sizeBytes -= before.sizeBytes();
    }
    sizeBytes += entry.sizeBytes();
    block.entries[place] = entry;
  }

  /** Removes the entry of a request, if there is one. */
  void remove(RequestId id) {
    takeOut(id);
    ids.remove(id);
  }

  /** Removes all entries of an epoch: one by one takes long if clients have left out numbers. */
  void remove(Epoch epoch) {
    epoch.entries().forEach(each -> takeOut(each.entry.id()));
    ids.removeAll(epoch.ids());
  }

  private void takeOut(RequestId id) {
    Block block = block(id);
    int place = place(id);
    LogEntry entry = block == null ? null : block.entries[place];
    if (block == null || entry == null) {
      return;
    }
    block.entries[place] = null;
    block.count--;
    size--;
    sizeBytes -= entry.sizeBytes();
    if (block.count == 0) {
      removeBlock(block);
    }
  }

  void clear() {
    slots = new Block[CAPACITY_MIN];
    blocks = 0;
    size = 0;
    sizeBytes = 0;
    ids = new IdSet();
    recent = null;
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    int counted = 0;
    int entries = 0;
    for (Block block : slots) {
      if (block != null) {
        counted++;
        entries += block.count;
        int present = 0;
        for (LogEntry entry : block.entries) {
          present += entry == null ? 0 : 1;
          Invariant.check(
              entry == null || ids.contains(entry.entry.id()), "the request of an entry is known");
        }
        Invariant.check(block.count > 0 && block.count == present, "a block counts its entries");
        Invariant.check(
            slots[slot(slots, block.client, block.number)] == block, "every block is found");
      }
    }
    Invariant.check(counted == blocks && entries == size, "the index counts all that it holds");
    Invariant.check(ids.size() == size, "no other requests are known");
    Invariant.check(2 * blocks <= slots.length, "half of the index is empty");
  }

  private @Nullable Block block(RequestId id) {
    Block known = recent;
    if (known != null && known.holds(id.client(), number(id))) {
      return known;
    }
    Block found = slots[slot(slots, id.client(), number(id))];
    recent = found;
    return found;
  }

  private Block addBlock(RequestId id) {
    if (2 * (blocks + 1) > slots.length) {
      resize(2 * slots.length);
    }
    Block block = new Block(id.client(), number(id));
    slots[slot(slots, block.client, block.number)] = block;
    blocks++;
    recent = block;
    return block;
  }

  private void removeBlock(Block block) {
    recent = null;
    blocks--;
    int hole = slot(slots, block.client, block.number);
    slots[hole] = null;
    // Whatever was pushed past the hole moves up, so that no search ends at it too early.
    int mask = slots.length - 1;
    for (int at = (hole + 1) & mask; slots[at] != null; at = (at + 1) & mask) {
      Block moved = Objects.requireNonNull(slots[at]);
      slots[at] = null;
      slots[slot(slots, moved.client, moved.number)] = moved;
    }
    if (slots.length > CAPACITY_MIN && 8 * blocks < slots.length) {
      resize(slots.length / 2);
    }
  }

  private void resize(int capacity) {
    @Nullable Block[] others = new Block[capacity];
    for (Block block : slots) {
      if (block != null) {
        others[slot(others, block.client, block.number)] = block;
      }
    }
    slots = others;
  }

  /** Where a block is, or would be. */
  private static int slot(@Nullable Block[] slots, long client, long number) {
    int mask = slots.length - 1;
    int at = (int) Mix.hash(client, number) & mask;
    while (true) {
      Block block = slots[at];
      if (block == null || block.holds(client, number)) {
        return at;
      }
      at = (at + 1) & mask;
    }
  }

  private static long number(RequestId id) {
    return id.sequence() >>> BLOCK_BITS;
  }

  private static int place(RequestId id) {
    return (int) id.sequence() & (BLOCK_ENTRIES - 1);
  }

  /** The entries of one client with neighbouring sequence numbers. */
  private static final class Block {
    final long client;
    final long number;
    final @Nullable LogEntry[] entries = new LogEntry[BLOCK_ENTRIES];
    int count;

    Block(long client, long number) {
      this.client = client;
      this.number = number;
    }

    boolean holds(long otherClient, long otherNumber) {
      return number == otherNumber && client == otherClient;
    }
  }
}
