package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;

/**
 * Walks over the entries of one collection by rising places. The place of an entry depends on
 * nothing but its key: two versions of a collection agree on it, whatever else they hold.
 */
interface PlacedCursor {
  /** Goes on to the next entry; false if there is none. */
  boolean advance();

  /** Whether the entry lies at a place or before it. */
  boolean isThrough(Bytes place);

  /** Whether the next entry has the same place. */
  boolean sharesPlace();

  /** The place of the entry. */
  Bytes place();

  /** Writes the entry, as the collection reads it. */
  void write(ByteWriter writer);
}
