package dev.tempest.protocol.order.log;

import dev.tempest.values.encoding.Bytes;
import java.util.List;

/** What stands in one slot of the log. */
public sealed interface Entry {
  /** A leader begins: all before it is in the log for good once this is. */
  record Begun(Ballot ballot) implements Entry {}

  /** These are the members, from the moment at which a replica has this, committed or not. */
  record Members(List<Long> members) implements Entry {
    /** Keeps a copy. */
    public Members {
      members = List.copyOf(members);
      if (members.isEmpty() || members.stream().distinct().count() < members.size()) {
        throw new IllegalArgumentException("each member is one, and there is one: " + members);
      }
    }
  }

  /** What somebody proposed. */
  record Proposed(Bytes body) implements Entry {}
}
