package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.runtime.transport.PeerAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the servers of a configuration and the groups of their services are. Not thread-safe. */
final class ServerView {
  private final long cluster;
  private final int multicastPort;
  private final Map<String, PeerAddress> byName = new LinkedHashMap<>();
  private final Map<Long, PeerAddress> byId = new LinkedHashMap<>();
  private final Map<PeerAddress, Long> ids = new HashMap<>();
  private final List<PeerAddress> addresses;
  private final List<InetSocketAddress> sockets;
  private final Map<Long, InetSocketAddress> groups = new HashMap<>();

  ServerView(FrontEndConfig config) {
    this.cluster = NameHash.of(config.cluster());
    this.multicastPort = config.multicastPort();
    for (String server : config.servers()) {
      PeerAddress address = PeerAddress.of(server);
      byName.put(server, address);
      byId.put(NameHash.of(server), address);
      ids.put(address, NameHash.of(server));
    }
    this.addresses = List.copyOf(byName.values());
    this.sockets = addresses.stream().map(PeerAddress::socket).toList();
  }

  Map<String, PeerAddress> byName() {
    return byName;
  }

  List<Long> ids() {
    return byId.keySet().stream().sorted().toList();
  }

  @Nullable PeerAddress address(long id) {
    return byId.get(id);
  }

  /**
   * A replica there says that this is its id. Until then a guess stands for it, the hash of its
   * address: that of a node is another one, and so is that of a server whose address is spelled in
   * another way there.
   *
   * @return whether that was not known
   */
  boolean learn(long id, PeerAddress from) {
    Long before = byId.containsKey(id) ? null : ids.get(from);
    if (before == null) { // It is known, or there is no server to be asked.
      return false;
    }
    ids.put(from, id);
    byId.remove(before);
    byId.put(id, from);
    return true;
  }

  List<PeerAddress> addresses() {
    return addresses;
  }

  List<InetSocketAddress> sockets() {
    return sockets;
  }

  /** The group that requests to a service are sent to; null if there is no multicast. */
  @Nullable InetSocketAddress group(long service) {
    return multicastPort == 0
        ? null
        : groups.computeIfAbsent(service, hash -> MulticastGroups.of(cluster, hash, multicastPort));
  }
}
