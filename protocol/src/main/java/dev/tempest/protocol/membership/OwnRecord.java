package dev.tempest.protocol.membership;

import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;

/** What a process says of itself, which only it may raise. */
final class OwnRecord {
  private final Self self;
  private final Hosts hosts;
  private long heartbeat;

  OwnRecord(Self self, Hosts hosts) {
    this.self = self;
    this.hosts = hosts;
  }

  /** It is alive. */
  void beat() {
    heartbeat++;
  }

  MemberRecord in(Members.Phase phase) {
    MemberState state = phase == Members.Phase.LEAVING ? MemberState.LEFT : MemberState.PRESENT;
    return new MemberRecord(
        self.id(), state, heartbeat, hosts.revision(), self.address(), self.name());
  }

  /**
   * Others think that this one is gone, or that it has come further than it has. Those to whom
   * somebody lied by more than that believe what this one says itself.
   *
   * @return whether it is to speak up at once
   */
  boolean refutes(MemberRecord told) {
    hosts.exceed(told.hosting());
    long ahead = told.heartbeat() - heartbeat;
    boolean refutes =
        ahead <= MemberTable.JUMP_MAX
            && (ahead > 0 || (ahead == 0 && told.state() != MemberState.PRESENT));
    if (refutes) {
      heartbeat = told.heartbeat() + 1;
    }
    return refutes;
  }
}
