package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.runtime.frontend.LocalChannel;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message;
import java.util.Map;
import java.util.SortedMap;

/** Sends what the replicas of a process say. Owned by the event loop. */
final class ReplicaSender {
  private final long self;
  private final Endpoint endpoint;
  private final BusyLoop busy;

  /**
   * Of a process.
   *
   * @param busy says some of it again while the loop is busy
   */
  ReplicaSender(long self, Endpoint endpoint, BusyLoop busy) {
    this.self = self;
    this.endpoint = endpoint;
    this.busy = busy;
  }

  void send(Address to, Message message) {
    switch (to) {
      case LocalChannel frontEnd -> frontEnd.answer(message);
      case PeerAddress peer -> {
        if (message instanceof Message.OfLog said) {
          busy.said(peer, said);
        }
        endpoint.send(peer, message);
      }
      default -> throw new IllegalArgumentException("no member at " + to);
    }
  }

  /**
   * To all others of these, one by one: whether a network carries multicast to each of them is not
   * known.
   */
  void spread(SortedMap<Long, Address> view, Message message) {
    for (Map.Entry<Long, Address> other : view.entrySet()) {
      if (other.getKey() != self) {
        send(other.getValue(), message);
      }
    }
  }
}
