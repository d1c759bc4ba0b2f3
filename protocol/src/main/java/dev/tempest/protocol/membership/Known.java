package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import java.util.List;

/** What this process knows of another one, and since when. Times are those of the table. */
final class Known {
  final Member member;
  MemberState state;
  long heartbeat;

  /** When the heartbeat was seen to grow; of one that is gone, when it went. */
  long sinceNanos;

  /** Until then it is told to others before what has not changed. */
  long newsUntilNanos;

  boolean silent;

  /** Of one that is silent: whether it may only be busy, as far as its system says. */
  boolean livesOn;

  /** When to find that out again. */
  long knockNanos;

  /** The newest of its lists of hosted services that was heard of. */
  long hosting;

  /** The list that is known, and which it is. */
  List<Long> services = List.of();

  long servicesHosting;

  /** When to ask for the newest list, if it is not known. */
  long askHostingNanos = Long.MIN_VALUE;

  /** How often it was asked for that since. */
  int askedHosting;

  /** One of whom nothing was taken yet. */
  Known(Member member, long heartbeat) {
    this.member = member;
    this.state = MemberState.LEFT;
    this.heartbeat = heartbeat;
  }

  long id() {
    return member.id();
  }

  Address address() {
    return member.address();
  }

  boolean isPresent() {
    return state == MemberState.PRESENT;
  }

  boolean isAlive() {
    return isPresent() && !silent;
  }

  /** Whether it says that it hosts something else than is known. */
  boolean isHostingUnknown() {
    return hosting > servicesHosting;
  }

  /** Whether it is silent, and may host a service all the same. */
  boolean mayHost(long service) {
    return silent && livesOn && (isHostingUnknown() || services.contains(service));
  }

  MemberRecord record() {
    return new MemberRecord(
        member.id(), state, heartbeat, hosting, member.addressText(), member.name());
  }
}
