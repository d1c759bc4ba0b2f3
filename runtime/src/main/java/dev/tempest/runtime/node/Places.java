package dev.tempest.runtime.node;

import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.PortRange;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.SlotEntry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where other nodes may be, as the configuration says; names are looked up each time. */
final class Places {
  private final NodeConfig config;
  private final InetAddress bind;

  /** Where each of the listed members was when its name was known last. */
  private final Map<HostPort, List<InetAddress>> known = new LinkedHashMap<>();

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
      PortRange ports = config.listen().ports().asked();
      for (int port = ports.first(); port <= ports.last(); port++) {
        found.add(text(host, port));
      }
    }
    return new ArrayList<>(found);
  }

  /**
   * Where the members are that the configuration lists, as those write it themselves; where they
   * were last if their names are unknown for now.
   */
  Set<String> members() {
    Set<String> found = new LinkedHashSet<>();
    knownMembers()
        .forEach((place, all) -> all.forEach(host -> found.add(text(host, place.port()))));
    return found;
  }

  /**
   * A majority is one of a number that is known.
   *
   * @param who is linearizable, for people
   * @param order how they are kept
   * @throws IllegalArgumentException unless the configuration lists each member, and each once
   */
  void requireMembers(String who, Order order) {
    int members = config.members().size();
    if (order.isByPrimary() && members < Order.ByConsensus.MEMBERS_WITH_PRIMARY) {
      throw new IllegalArgumentException(
          "%s kept by a primary, which a majority of the members chooses: list three or more"
              .formatted(who));
    }
    if (members < 1 || members > SlotEntry.Members.COUNT_MAX) {
      throw new IllegalArgumentException(
          "%s linearizable: list the addresses of all servers, 1 to %d, as members"
              .formatted(who, SlotEntry.Members.COUNT_MAX));
    }
    Map<String, HostPort> byAddress = new HashMap<>();
    for (Map.Entry<HostPort, List<InetAddress>> each : knownMembers().entrySet()) {
      List<InetAddress> all = each.getValue();
      if (all.size() > all.stream().map(InetAddress::getClass).distinct().count()) {
        throw new IllegalArgumentException(
            ("%s linearizable, and the member '%s' is several machines: list each of them by a"
                    + " name or an address of its own")
                .formatted(who, each.getKey()));
      }
      all.forEach(host -> requireOnce(who, each.getKey(), host, byAddress));
    }
  }

  /** It would count as two, of which one never comes. */
  private static void requireOnce(
      String who, HostPort member, InetAddress host, Map<String, HostPort> byAddress) {
    String address = text(host, member.port());
    HostPort other = byAddress.put(address, member);
    if (other != null) {
      throw new IllegalArgumentException(
          ("%s linearizable, and the members '%s' and '%s' are one process, %s: list it once. If a"
                  + " name has just moved, try again")
              .formatted(who, other, member, address));
    }
  }

  private synchronized Map<HostPort, List<InetAddress>> knownMembers() {
    for (HostPort place : config.members()) {
      List<InetAddress> all = lookUp(place);
      if (!all.isEmpty()) {
        known.put(place, all);
      }
    }
    return new LinkedHashMap<>(known);
  }

  private Stream<HostPort> listed() {
    return Stream.concat(config.seeds().stream(), config.members().stream());
  }

  /** Reads an address that another node has written; null if none is accepted from there. */
  static @Nullable PeerAddress address(String text, Predicate<InetAddress> accepted) {
    PeerAddress address = PeerAddress.written(text);
    return address != null && accepted.test(address.socket().getAddress()) ? address : null;
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
    lookUp(place).forEach(address -> found.add(text(address, place.port())));
  }

  private static List<InetAddress> lookUp(HostPort place) {
    try {
      return List.of(InetAddress.getAllByName(place.host()));
    } catch (UnknownHostException notYet) {
      return List.of(); // Looked up again in a moment; a pod that starts has no name yet.
    }
  }
}
