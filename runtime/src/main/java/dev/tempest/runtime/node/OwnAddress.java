package dev.tempest.runtime.node;

import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/** Under which address the others reach this host. */
final class OwnAddress {
  private OwnAddress() {}

  /**
   * The address bound; where all are, the one from which multicast goes out, else any of a private
   * network, else loopback.
   */
  static InetAddress of(InetAddress bind, InetSocketAddress group) {
    if (!bind.isAnyLocalAddress()) {
      return bind;
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(group); // Sends nothing: the system just chooses the way.
      InetAddress chosen = socket.getLocalAddress();
      if (chosen != null && chosen.isSiteLocalAddress()) {
        return chosen;
      }
      return anyPrivate().orElse(InetAddress.getLoopbackAddress());
    } catch (SocketException | java.io.UncheckedIOException noNetwork) {
      return InetAddress.getLoopbackAddress();
    }
  }

  private static Optional<InetAddress> anyPrivate() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && address.isSiteLocalAddress())
        .findFirst();
  }
}
