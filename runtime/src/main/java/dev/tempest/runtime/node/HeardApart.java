package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Member;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.PeerAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The peers that are heard otherwise than anybody: those with the same services have sockets of
 * their own, for what replicas say to each other is not to wait behind what front-ends ask; and
 * members may send what is large.
 *
 * <p>Owned by the event loop.
 */
final class HeardApart {
  private final long self;
  private final Endpoint endpoint;
  private final Set<Address> heard = new LinkedHashSet<>();

  /** Of the process {@code self}. */
  HeardApart(long self, Endpoint endpoint) {
    this.self = self;
    this.endpoint = endpoint;
  }

  /** From now on those are the members, who alone may send all that is large. */
  void members(Collection<Member> members) {
    Map<Long, InetSocketAddress> addresses = new LinkedHashMap<>();
    members.forEach(
        member -> addresses.put(member.id(), ((PeerAddress) member.address()).socket()));
    endpoint.membersAt(addresses);
  }

  /**
   * From now on those that host the same services, and no others.
   *
   * @param hosts by service the processes that host it, and where they are reached
   */
  void hear(Collection<Hosted> replicas, SortedMap<Long, SortedMap<Long, Address>> hosts) {
    Set<Address> peers = new LinkedHashSet<>();
    for (Hosted replica : replicas) {
      if (replica.isService()) {
        hosts
            .getOrDefault(replica.id, Collections.emptySortedMap())
            .forEach((id, address) -> {
              if (id != self) {
                peers.add(address);
              }
            });
      }
    }
    hear(peers);
  }

  private void hear(Set<Address> peers) {
    for (Address gone : List.copyOf(heard)) {
      if (!peers.contains(gone)) {
        endpoint.hearTogether((PeerAddress) gone);
        heard.remove(gone);
      }
    }
    for (Address peer : peers) {
      if (heard.add(peer)) {
        endpoint.hearApart((PeerAddress) peer);
      }
    }
  }
}
