package dev.tempest.runtime.node;

import dev.tempest.config.ListenAddress;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.PortRange;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** The endpoint of a node: the first port of the configured ones that is free. */
final class OpenPort {
  private OpenPort() {}

  static InetAddress bindAddress(NodeConfig config) {
    ListenAddress listen = config.listen();
    try {
      String host = listen.host().equals(ListenAddress.PRIVATE) ? everywhere() : listen.host();
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "cannot listen on unknown host '" + listen.host() + "': check its spelling", unknown);
    }
  }

  /** All addresses: IPv4, and IPv6 too where the machine has no other. */
  private static String everywhere() {
    try {
      boolean hasIpv4 =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .anyMatch(address -> address instanceof Inet4Address && !address.isLoopbackAddress());
      boolean hasIpv6 =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .anyMatch(address -> address instanceof Inet6Address && !address.isLoopbackAddress());
      return hasIpv4 || !hasIpv6 ? "0.0.0.0" : "::";
    } catch (SocketException noInterfaces) {
      return "0.0.0.0";
    }
  }

  /** Opens it. */
  static Endpoint open(HostConfig config) {
    long cluster = NameHash.of(config.cluster());
    long id = config.id();
    PortRange ports = config.ports();
    @Nullable UncheckedIOException refused = null;
    for (int port = ports.first(); port <= ports.last(); port++) {
      try {
        return Endpoint.open(
            new EndpointConfig(
                config.bind(), port, cluster, id, config.dropPercent(), id, config.accepted()));
      } catch (UncheckedIOException taken) {
        refused = taken;
      }
    }
    if (refused != null && ports.first() == ports.last()) {
      throw refused;
    }
    throw new UncheckedIOException(
        "cannot listen on any of the ports "
            + ports
            + ": "
            + (refused == null ? "" : refused.getMessage()),
        refused == null ? new java.io.IOException("no port") : refused.getCause());
  }
}
