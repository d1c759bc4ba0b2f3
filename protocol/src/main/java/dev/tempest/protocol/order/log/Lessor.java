package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.LogMessage;
import java.util.List;

/**
 * What a leader knows because members have promised to follow nobody else for a while: that it may
 * read alone. If the group wants that, they may as well, each as long as the leader commits nothing
 * that it has not accepted (Bodega, arXiv 2509.07158). Not thread-safe.
 */
final class Lessor {
  private final Group group;
  private final Acceptor acceptor;
  private final Followers followers;
  private final Lengths lengths;
  private final ReadLeases given;

  /** What enough members had at the last heartbeat, and at the one before. */
  private long agreedSince;

  private long agreedBefore;

  Lessor(Group group, Acceptor acceptor, Followers followers, Lengths lengths, ReadLeases given) {
    this.group = group;
    this.acceptor = acceptor;
    this.followers = followers;
    this.lengths = lengths;
    this.given = given;
  }

  void heartbeat() {
    agreedBefore = agreedSince;
    agreedSince = lengths.agreed();
  }

  /** Asks one that has promised already. */
  void ask(Follower follower, long nowNanos, List<Effect> effects) {
    if (group.leases() != Group.Leases.NONE) {
      var question = new LogMessage.LeaseRequest(acceptor.promised(), nowNanos);
      Followers.send(follower, question, effects);
    }
  }

  /** Until when nobody else can lead. */
  long untilNanos(long nowNanos) {
    long[] asked =
        acceptor.log().members().stream().mapToLong(each -> asked(each, nowNanos)).toArray();
    return group.quorum().committed(asked) + group.leaseNanos();
  }

  /** When a member was asked what it has promised. */
  private long asked(long member, long nowNanos) {
    if (member == group.self()) {
      return nowNanos;
    }
    Follower follower = followers.get(member);
    return follower == null ? Follower.NEVER : follower.leasedNanos;
  }

  /**
   * A follower wants to read alone. It may for as long as nobody else can lead, if it keeps up: who
   * is slow holds up what others write, though only until its lease ends.
   */
  void wished(Follower by, LogMessage.LeaseWish wish, long nowNanos, List<Effect> effects) {
    by.leasedNanos = Math.max(by.leasedNanos, wish.number());
    long nanos = untilNanos(nowNanos) - nowNanos;
    if (group.leases() == Group.Leases.MEMBERS
        && nanos > 0
        && acceptor.log().members().contains(by.replica)
        && lengths.of(by.replica) >= Math.max(acceptor.log().committed(), agreedBefore)) {
      given.give(by.replica, nowNanos + nanos, nowNanos);
      Followers.send(by, new LogMessage.ReadLease(wish.ballot(), wish.since(), nanos), effects);
    }
  }

  /** How much of the log may be committed: enough members have it, and all that read alone. */
  long committable(long nowNanos) {
    return Math.min(lengths.agreed(), given.common(lengths::of, nowNanos));
  }

  /** Whether a follower may read alone, and so wants to know at once what is committed. */
  boolean isReading(Follower follower, long nowNanos) {
    return given.runs(follower.replica, nowNanos);
  }
}
