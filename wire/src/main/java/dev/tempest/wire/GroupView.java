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
  /**
   * Majorities never come so far: who agrees by one follows no primary, and the other way round.
   */
  private static final long BALLOTS_FROM = 1L << 59;

  /** Nobody misses so many views: it is nonsense, and would leave no room for more. */
  private static final long AHEAD_MAX = 1L << 32;

  /** Before the first one. */
  public static final GroupView NONE = new GroupView(0, List.of(), List.of());

  /** Keeps copies. */
  public GroupView {
    members = List.copyOf(members);
    holders = List.copyOf(holders);
    if (epoch < 0 || epoch > Ballot.NUMBER_MAX - BALLOTS_FROM) {
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

  /** By which the primary leads; of a view, not of {@link #NONE}. */
  public Ballot ballot() {
    return new Ballot(BALLOTS_FROM + epoch, primary());
  }

  /** Whether a primary may lead by a ballot by now: nobody is so far ahead of this view. */
  public boolean mayBeFollowedBy(Ballot ballot) {
    return isOfPrimary(ballot) && ballot.number() - BALLOTS_FROM - epoch <= AHEAD_MAX;
  }

  /** Whether a primary leads by a ballot, and not whom a majority has elected. */
  public static boolean isOfPrimary(Ballot ballot) {
    return ballot.number() >= BALLOTS_FROM;
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
