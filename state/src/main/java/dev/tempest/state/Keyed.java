package dev.tempest.state;

/**
 * The root of a keyed object: its entries, each a value, a {@link Lease} or {@link Unmerged}, and
 * the deadlines of the leases, soonest first.
 */
record Keyed<K>(Entries<K, Object> entries, SortedTree<Deadline<K>, Present> deadlines) {
  int size() {
    return entries.size();
  }
}
