package dev.tempest.admin;

import dev.tempest.wire.Message;

/**
 * A member of the cluster as another one sees it.
 *
 * @param address where it is reached
 * @param name its display name; empty if it has none
 * @param silent whether nothing was heard of it for a while
 */
public record MemberStatus(String address, String name, boolean silent) {
  static MemberStatus of(Message.MemberStatus status) {
    return new MemberStatus(
        NodeStatus.printable(status.address()),
        NodeStatus.printable(status.name()),
        status.silent());
  }
}
