package dev.tempest.wire;

import java.util.List;

/**
 * What a log comes to at one slot, beside the state: there it may begin for somebody who takes that
 * state in place of all before.
 *
 * @param slot of the first entry that is not in the state, from 1
 * @param members who agrees on that entry
 * @param millis the time of the latest entry before, not negative
 * @param executed how many updates there were before
 * @param hash the sum of their hashes: of the id, in its slot; of what members vote for also of the
 *     time at which it ran, and what it came to
 */
public record LogPoint(long slot, List<Long> members, long millis, long executed, long hash) {
  /** Keeps a copy. */
  public LogPoint {
    members = List.copyOf(members);
  }
}
