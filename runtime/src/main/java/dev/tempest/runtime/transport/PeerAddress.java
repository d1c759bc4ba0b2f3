package dev.tempest.runtime.transport;

import dev.tempest.config.HostPort;
import dev.tempest.protocol.Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a server's or front-end's endpoint is reached, by datagram and by stream alike. */
public record PeerAddress(InetSocketAddress socket) implements Address {
  /**
   * Reads {@code host:port} and looks the host up: all its addresses of the kind that the system
   * prefers, IPv4 or IPv6, for most servers have one of each.
   *
   * @throws IllegalArgumentException if it is not of that form or the host is unknown
   */
  public static List<PeerAddress> all(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    int port = colon < 1 ? 0 : parsePort(hostAndPort.substring(colon + 1));
    if (port == 0) {
      throw new IllegalArgumentException(
          "'" + hostAndPort + "' is not host:port with a port from 1 to 65535");
    }
    try {
      InetAddress[] hosts = InetAddress.getAllByName(hostAndPort.substring(0, colon));
      return Stream.of(hosts)
          .filter(host -> host.getAddress().length == hosts[0].getAddress().length)
          .map(host -> new PeerAddress(new InetSocketAddress(host, port)))
          .toList();
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "unknown host in '" + hostAndPort + "': check its spelling and the name service",
          unknown);
    }
  }

  /** Reads an address that a process has written of itself; null if it is none. */
  public static @Nullable PeerAddress written(String text) {
    try {
      HostPort place = HostPort.parse(text);
      return HostPort.isAddress(place.host()) // No other process makes this one look up names.
          ? new PeerAddress(
              new InetSocketAddress(InetAddress.getByName(place.host()), place.port()))
          : null;
    } catch (IllegalArgumentException | UnknownHostException none) {
      return null;
    }
  }

  /** The port, 0 if it is none. */
  private static int parsePort(String digits) {
    if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(Character::isDigit)) {
      return 0;
    }
    int port = Integer.parseInt(digits);
    return port > 65_535 ? 0 : port;
  }

  @Override
  public String toString() {
    String host = socket.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + socket.getPort();
  }
}
