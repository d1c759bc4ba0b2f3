package dev.tempest.runtime.frontend;

import dev.tempest.runtime.transport.PeerAddress;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which address of this machine the sockets of front-ends are bound to. */
final class LocalAddress {
  private LocalAddress() {}

  /**
   * The one from which the way to all servers leads: so nobody else gets at the sockets of those
   * whose servers are on this machine, and datagrams to groups take that way only. If the ways
   * begin at several addresses, all of them: what comes back to one does not arrive at another.
   * Servers to which there is no way do not count.
   *
   * @throws UncheckedIOException if there is a way to none
   */
  static InetAddress towards(List<PeerAddress> servers) {
    Set<InetAddress> own = new LinkedHashSet<>();
    SocketException noWay = new SocketException("no servers");
    for (PeerAddress server : servers) {
      try {
        own.add(towards(server));
      } catch (SocketException unreachable) {
        noWay = unreachable;
      }
    }
    if (own.isEmpty()) {
      throw new UncheckedIOException("No route to " + servers + ": is the network up?", noWay);
    }
    return own.size() == 1 ? own.iterator().next() : all(own);
  }

  private static InetAddress towards(PeerAddress server) throws SocketException {
    // Connecting a datagram socket sends nothing; it only asks the routing table.
    try (DatagramSocket probe = new DatagramSocket()) {
      probe.connect(server.socket());
      return probe.getLocalAddress();
    }
  }

  /** Sockets of IPv6 reach IPv4 as well, but not the other way round. */
  private static InetAddress all(Set<InetAddress> own) {
    boolean ipv6 = own.stream().anyMatch(Inet6Address.class::isInstance);
    return new InetSocketAddress(ipv6 ? "::" : "0.0.0.0", 0).getAddress();
  }
}
