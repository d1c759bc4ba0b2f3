package dev.tempest.protocol.order.log;

import dev.tempest.values.encoding.Bytes;

/** What stands in one slot of the log. */
public sealed interface Entry {
  /** A leader begins: all before it is in the log for good once this is. */
  record Begun(Ballot ballot) implements Entry {}

  /** What somebody proposed. */
  record Proposed(Bytes body) implements Entry {}
}
