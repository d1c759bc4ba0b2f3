package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Applied;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Prefix;
import java.util.List;

/**
 * All that a replica needs to become like another one.
 *
 * @param settled which entries the state contains
 * @param history what was settled at the end of earlier epochs, ascending: of some that had
 *     entries, the latest
 * @param state what they have led to
 * @param hashes of the state
 * @param unsettled the entries after it, in order
 */
record Snapshot(
    Prefix settled,
    List<Prefix> history,
    Applied state,
    StateHashes hashes,
    List<Entry> unsettled) {}
