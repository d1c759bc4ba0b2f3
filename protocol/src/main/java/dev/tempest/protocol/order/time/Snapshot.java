package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Past;
import java.util.List;

/**
 * All that a replica needs to become like another one.
 *
 * @param settled which entries the state contains
 * @param past how the replica came to it
 * @param state what they have led to
 * @param hashes of the state
 * @param kept which settled entries come with it
 * @param keptEntries those, in order
 * @param unsettled the entries after it, in order
 */
record Snapshot(
    Prefix settled,
    Past past,
    Applied state,
    StateHashes hashes,
    Kept kept,
    List<Entry> keptEntries,
    List<Entry> unsettled) {
  /** The same of all entries, which are copied. */
  static Snapshot of(
      Prefix settled,
      Past past,
      Applied state,
      StateHashes hashes,
      Kept kept,
      List<Entry> entries,
      int epochMillis) {
    long firstMillis = (settled.throughEpoch() + 1) * epochMillis;
    List<Entry> settledEntries =
        entries.stream().takeWhile(entry -> Stamp.millis(entry.stamp()) < firstMillis).toList();
    List<Entry> unsettled = List.copyOf(entries.subList(settledEntries.size(), entries.size()));
    return new Snapshot(settled, past, state, hashes, kept, settledEntries, unsettled);
  }
}
