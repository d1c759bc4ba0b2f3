package dev.tempest.runtime.transport;

import java.net.InetSocketAddress;
import java.util.List;

/** Where the messages of one outgoing frame go. */
sealed interface Destination {
  /** One endpoint. */
  record Unicast(InetSocketAddress socket) implements Destination {}

  /**
   * All endpoints that joined a multicast group.
   *
   * @param members all that may have joined: each gets its own copy where multicast does not work,
   *     or where the frame does not fit a datagram
   */
  record Group(InetSocketAddress socket, List<InetSocketAddress> members) implements Destination {
    @Override
    public boolean equals(Object other) {
      return other instanceof Group that && socket.equals(that.socket);
    }

    @Override
    public int hashCode() {
      return socket.hashCode();
    }
  }
}
