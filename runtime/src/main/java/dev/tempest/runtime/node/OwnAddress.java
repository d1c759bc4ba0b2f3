package dev.tempest.runtime.node;

import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.LogLines;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Under which address the others reach this node. */
final class OwnAddress {
  private static final System.Logger LOGGER = LogLines.logger(OwnAddress.class);

  private OwnAddress() {}

  /**
   * What the configuration advertises, else the address bound; where all are, the one from which
   * multicast goes out, else any that others accept, else loopback.
   *
   * @throws dev.tempest.config.ConfigException if the host that is advertised is unknown
   */
  static String of(NodeConfig config, OwnPlace place, InetSocketAddress group) {
    if (place.advertised().isPresent()) {
      HostPort advertised = place.advertised().get();
      return Places.text(Places.require(advertised.host(), "advertise"), advertised.port());
    }
    InetAddress bind = place.bind();
    return Places.text(bind.isAnyLocalAddress() ? found(config, bind, group) : bind, place.port());
  }

  private static InetAddress found(NodeConfig config, InetAddress bind, InetSocketAddress group) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(group); // Sends nothing: the system just chooses the way.
      InetAddress chosen = socket.getLocalAddress();
      if (chosen != null && isReachable(config, chosen)) {
        return chosen;
      }
    } catch (SocketException | UncheckedIOException noWay) {
      // As in a network of IPv6 only: its interfaces have addresses nevertheless.
    }
    try {
      List<InetAddress> served =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> !address.isLoopbackAddress() && isServed(bind, address))
              .toList();
      return served.stream()
          .filter(config::isAllowed)
          .min(Comparator.comparingInt(OwnAddress::rank))
          .orElseGet(() -> loopback(config, served));
    } catch (SocketException noInterfaces) {
      return InetAddress.getLoopbackAddress();
    }
  }

  private static InetAddress loopback(NodeConfig config, List<InetAddress> refused) {
    if (!refused.isEmpty()) {
      LOGGER.log(
          level(config),
          "Only this machine reaches this node: it accepts no messages from the networks of its"
              + " addresses {0}; name those under ''allow'' if you trust whoever sends from there",
          refused.stream().map(InetAddress::getHostAddress).toList());
    }
    return InetAddress.getLoopbackAddress();
  }

  /** On a machine alone nothing is missing; whoever names others expects them. */
  static Level level(NodeConfig config) {
    boolean namesOthers =
        config.dns().isPresent()
            || Stream.concat(config.seeds().stream(), config.members().stream())
                .anyMatch(place -> !OwnPlace.isLoopback(place.host()));
    return namesOthers ? Level.WARNING : Level.INFO;
  }

  private static boolean isReachable(NodeConfig config, InetAddress address) {
    return config.isAllowed(address)
        && !address.isLoopbackAddress()
        && !address.isAnyLocalAddress();
  }

  /** Sockets bound to all IPv4 addresses get nothing that is sent to an IPv6 address. */
  private static boolean isServed(InetAddress bind, InetAddress address) {
    return bind instanceof Inet6Address || address instanceof Inet4Address;
  }

  /** Link-local addresses are the last resort: they mean nothing beyond one cable. */
  private static int rank(InetAddress address) {
    return (address.isLinkLocalAddress() ? 2 : 0) + (address instanceof Inet4Address ? 0 : 1);
  }
}
