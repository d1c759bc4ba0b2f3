package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;

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

  MemberRecord record() {
    return new MemberRecord(member.id(), state, heartbeat, member.addressText(), member.name());
  }
}
