package dev.tempest.protocol.order.log;

import java.util.List;

/** How much of the log of a leader its members have accepted. Not thread-safe. */
final class Lengths {
  /** Less than any log has. */
  private static final long NOTHING = Long.MIN_VALUE / 2;

  private final Group group;
  private final Acceptor acceptor;
  private final Followers followers;

  /** So much is stored here, and counts as accepted. */
  private long stored = NOTHING;

  Lengths(Group group, Acceptor acceptor, Followers followers) {
    this.group = group;
    this.acceptor = acceptor;
    this.followers = followers;
  }

  long stored() {
    return stored;
  }

  void stores(long length) {
    stored = Math.max(stored, length);
  }

  /** Nothing counts of a replica that has not all with which the leader began. */
  long of(long replica) {
    if (replica == group.self()) {
      return stored;
    }
    Follower follower = followers.get(replica);
    return follower == null || !follower.isWhole ? NOTHING : follower.has;
  }

  /** How much enough members have. */
  long agreed() {
    List<Long> members = acceptor.log().members();
    long[] lengths = new long[members.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = of(members.get(i));
    }
    return group.quorum().committed(lengths);
  }
}
