package dev.tempest.wire;

import java.util.List;

/**
 * Which replicas keep a state by a primary: the first of them is the primary, the others are its
 * backups, the senior one first.
 *
 * @param epoch from 1; each view has a higher one than those before it, and 0 is that of none
 * @param members all that have to have an update before it counts
 * @param holders those of the last view of which all members had the state: one of them has to be
 *     the next primary. These members, once that holds of them; nobody while there is no state yet
 */
public record GroupView(long epoch, List<Long> members, List<Long> holders) {
  /** Before the first one. */
  public static final GroupView NONE = new GroupView(0, List.of(), List.of());

  /** Keeps copies. */
  public GroupView {
    members = List.copyOf(members);
    holders = List.copyOf(holders);
    if (epoch < 0 || epoch > Ballot.NUMBER_MAX) {
      throw new IllegalArgumentException("no view has the epoch " + epoch);
    }
    if (members.size() > SlotEntry.Members.COUNT_MAX
        || members.isEmpty() != (epoch == 0)
        || members.stream().distinct().count() < members.size()) {
      throw new IllegalArgumentException("each member is one, and there is one: " + members);
    }
    if (!holders.isEmpty() && !holders.contains(members.getFirst())) {
      throw new IllegalArgumentException("a primary without the state: " + members);
    }
  }

  /** Who leads; of a view, not of {@link #NONE}. */
  public long primary() {
    return members.getFirst();
  }

  /** Whether all members have the state. */
  public boolean isComplete() {
    return epoch > 0 && holders.equals(members);
  }

  /** This one, once all members have the state. */
  public GroupView completed() {
    return new GroupView(epoch, members, members);
  }

  /** The next one. */
  public GroupView next(List<Long> these) {
    return new GroupView(epoch + 1, these, holders);
  }

  /** Whether a replica may be the next primary. */
  public boolean mayLead(long replica) {
    return holders.isEmpty() || holders.contains(replica);
  }

  /** Whether another one may come after this one. */
  public boolean mayBecome(GroupView that) {
    return that.epoch == epoch + 1
        ? that.holders.equals(holders)
        : epoch > 0 && !isComplete() && that.equals(completed());
  }
}
