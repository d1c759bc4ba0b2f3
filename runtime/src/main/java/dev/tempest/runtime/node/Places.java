package dev.tempest.runtime.node;

import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.PrivateAddresses;
import dev.tempest.runtime.transport.PeerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where other nodes may be, as the configuration says; names are looked up each time. */
public final class Places {
  /** Of the ports of this machine so many are tried: nodes take the first that is free. */
  private static final int LOOPBACK_PORTS_MAX = 16;

  private final NodeConfig config;
  private final InetAddress bind;

  Places(NodeConfig config, InetAddress bind) {
    this.config = config;
    this.bind = bind;
  }

  /** Whether looking again may find others. */
  boolean change() {
    return config.discovery().dns().isPresent()
        || config.discovery().seeds().stream()
            .anyMatch(seed -> !PrivateAddresses.isAddress(seed.host()));
  }

  /** As texts that {@link #address} reads; unknown hosts are left out until they are known. */
  List<String> candidates() {
    Set<String> found = new LinkedHashSet<>();
    config.discovery().seeds().forEach(seed -> lookUp(seed, found));
    config.discovery().dns().ifPresent(name -> lookUp(name, found));
    if (config.discovery().loopback()) {
      InetAddress host = bind.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bind;
      int last = Math.min(config.ports().last(), config.ports().first() + LOOPBACK_PORTS_MAX - 1);
      for (int port = config.ports().first(); port <= last; port++) {
        found.add(text(host, port));
      }
    }
    return new ArrayList<>(found);
  }

  /** Reads an address that another node has written; null if it is none, or not a near one. */
  static @Nullable PeerAddress address(String text) {
    try {
      HostPort place = HostPort.parse(text);
      if (!PrivateAddresses.isAddress(place.host())) {
        return null;
      }
      InetAddress host = InetAddress.getByName(place.host());
      return PrivateAddresses.contains(host)
          ? new PeerAddress(new InetSocketAddress(host, place.port()))
          : null;
    } catch (IllegalArgumentException | UnknownHostException none) {
      return null;
    }
  }

  static String text(InetAddress host, int port) {
    return new HostPort(host.getHostAddress(), port).toString();
  }

  /** All addresses that these places have now. */
  public static List<String> lookUp(List<HostPort> places) {
    Set<String> found = new LinkedHashSet<>();
    places.forEach(place -> lookUp(place, found));
    return new ArrayList<>(found);
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
