package dev.tempest.runtime.node;

import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.PortRange;
import dev.tempest.runtime.transport.PeerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where other nodes may be, as the configuration says; names are looked up each time. */
final class Places {
  /** Of the ports of this machine so many are tried: nodes take the first that is free. */
  private static final int LOOPBACK_PORTS_MAX = 16;

  private final NodeConfig config;
  private final InetAddress bind;

  Places(NodeConfig config, InetAddress bind) {
    this.config = config;
    this.bind = bind;
  }

  /** Whether looking again may find others. */
  boolean mayChange() {
    return config.dns().isPresent()
        || listed().anyMatch(place -> !HostPort.isAddress(place.host()));
  }

  /** As texts that {@link #address} reads; unknown hosts are left out until they are known. */
  List<String> candidates() {
    Set<String> found = new LinkedHashSet<>();
    listed().forEach(place -> lookUp(place, found));
    config.dns().ifPresent(name -> lookUp(name, found));
    if (config.loopback()) {
      InetAddress host = bind.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bind;
      PortRange ports = config.listen().ports();
      int last = Math.min(ports.last(), ports.first() + LOOPBACK_PORTS_MAX - 1);
      for (int port = ports.first(); port <= last; port++) {
        found.add(text(host, port));
      }
    }
    return new ArrayList<>(found);
  }

  /** Where the members are that the configuration lists, as those write it themselves. */
  Set<String> members() {
    Set<String> found = new LinkedHashSet<>();
    config.members().forEach(place -> lookUp(place, found));
    return found;
  }

  private Stream<HostPort> listed() {
    return Stream.concat(config.seeds().stream(), config.members().stream());
  }

  /** Reads an address that another node has written; null if none is accepted from there. */
  static @Nullable PeerAddress address(String text, Predicate<InetAddress> accepted) {
    try {
      HostPort place = HostPort.parse(text);
      if (!HostPort.isAddress(place.host())) {
        return null;
      }
      InetAddress host = InetAddress.getByName(place.host());
      return accepted.test(host)
          ? new PeerAddress(new InetSocketAddress(host, place.port()))
          : null;
    } catch (IllegalArgumentException | UnknownHostException none) {
      return null;
    }
  }

  static String text(InetAddress host, int port) {
    String address = host.getHostAddress();
    int zone = address.indexOf('%'); // Other hosts have other zones.
    return new HostPort(
            zone < 0 || host.isLinkLocalAddress() ? address : address.substring(0, zone), port)
        .toString();
  }

  /**
   * The address of a host of the configuration.
   *
   * @param use what for: {@code listen on}
   * @throws ConfigException if the host is unknown
   */
  static InetAddress require(String host, String use) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      ConfigException refusal =
          new ConfigException(
              "configuration",
              "cannot " + use + " unknown host '" + host + "'",
              "check its spelling");
      refusal.initCause(unknown);
      throw refusal;
    }
  }

  private static void lookUp(HostPort place, Set<String> found) {
    try {
      for (InetAddress address : InetAddress.getAllByName(place.host())) {
        found.add(text(address, place.port()));
      }
    } catch (UnknownHostException notYet) {
      return; // Looked up again in a moment; a pod that starts has no name yet.
    }
  }
}
