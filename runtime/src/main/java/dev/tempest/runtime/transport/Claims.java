package dev.tempest.runtime.transport;

import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where those that send say that they are reached, which may be elsewhere than where they send
 * from. Whether it is true, {@link Proofs} know. Not thread-safe.
 */
final class Claims {
  private Map<Long, InetSocketAddress> members = Map.of();

  /** From now on those are the members, by their ids. */
  void members(Map<Long, InetSocketAddress> addresses) {
    members = Map.copyOf(addresses);
  }

  /** Where the members are reached. */
  Collection<InetSocketAddress> members() {
    return members.values();
  }

  /** Whether a member is reached there. */
  boolean isMember(InetSocketAddress address) {
    return members.containsValue(address);
  }

  /**
   * Where the sender of a frame says that it is reached: by the record of itself in the frame, or
   * by being the member that it says it is. Null if it does not say.
   */
  @Nullable InetSocketAddress of(Frame frame) {
    for (Message message : frame.messages()) {
      if (message instanceof Message.Probe probe) {
        return address(probe.prober());
      }
      if (message instanceof Message.Roster roster) {
        return address(roster.sender());
      }
    }
    return members.get(frame.sender());
  }

  private static @Nullable InetSocketAddress address(Message.MemberRecord record) {
    PeerAddress written = PeerAddress.written(record.address());
    return written == null ? null : written.socket();
  }
}
