package dev.tempest.runtime.node;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.PortRange;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** The endpoint of a node: the first port of the configured ones that is free. */
final class OpenPort {
  private OpenPort() {}

  static InetAddress bindAddress(NodeConfig config) {
    String host = config.bind().equals(NodeConfig.BIND_PRIVATE) ? "0.0.0.0" : config.bind();
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "the host to listen on, \"" + host + "\", is unknown: check its spelling", unknown);
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
            new EndpointConfig(config.bind(), port, cluster, id, config.dropPercent(), id));
      } catch (UncheckedIOException taken) {
        refused = taken;
      }
    }
    if (refused != null && ports.first() == ports.last()) {
      throw refused;
    }
    throw new UncheckedIOException(
        "none of the ports "
            + ports
            + " can be bound: "
            + (refused == null ? "" : refused.getMessage()),
        refused == null ? new java.io.IOException("no port") : refused.getCause());
  }
}
