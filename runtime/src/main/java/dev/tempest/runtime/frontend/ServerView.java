package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.runtime.transport.PeerAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the servers of a configuration and the groups of their services are. Not thread-safe. */
final class ServerView {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long cluster;
  private final int multicastPort;
  private final Map<String, List<PeerAddress>> byName = new LinkedHashMap<>();
  private final Map<Long, PeerAddress> byId = new LinkedHashMap<>();
  private final Map<PeerAddress, Long> ids = new HashMap<>();
  private final Set<Long> gone = new LinkedHashSet<>();

  /** Since when a guess stands for whoever is at an address, unless it is known who has been. */
  private final Map<PeerAddress, Long> guessedNanos = new HashMap<>();

  private final Set<Long> guesses = new LinkedHashSet<>();
  private List<PeerAddress> addresses = List.of();
  private List<InetSocketAddress> sockets = List.of();
  private final Map<Long, InetSocketAddress> groups = new HashMap<>();

  /** The servers of the configuration are found at these addresses. */
  ServerView(FrontEndConfig config, Map<String, List<PeerAddress>> found, long nowNanos) {
    this.cluster = NameHash.of(config.cluster());
    this.multicastPort = config.multicastPort();
    move(found, nowNanos);
  }

  /**
   * Servers are found at these addresses now; those that are not found stay where they were.
   *
   * @return whether any address has come or gone
   */
  boolean move(Map<String, List<PeerAddress>> found, long nowNanos) {
    byName.putAll(found);
    Set<Long> before = Set.copyOf(byId.keySet());
    Set<PeerAddress> present = new LinkedHashSet<>();
    byName.values().forEach(present::addAll);
    if (present.equals(ids.keySet())) {
      return false;
    }
    byId.values().retainAll(present);
    ids.keySet().retainAll(present);
    guessedNanos.keySet().retainAll(present);
    for (PeerAddress address : present) {
      if (!ids.containsKey(address)) {
        guessedNanos.put(address, nowNanos);
      }
      byId.putIfAbsent(ids.computeIfAbsent(address, ServerView::guess), address);
    }
    before.stream().filter(id -> !byId.containsKey(id)).forEach(gone::add);
    addresses = List.copyOf(present);
    sockets = addresses.stream().map(PeerAddress::socket).toList();
    return true;
  }

  /** What the configuration calls the servers. */
  Set<String> names() {
    return byName.keySet();
  }

  /** The addresses of a server, at least one. */
  List<PeerAddress> addresses(String server) {
    List<PeerAddress> found = byName.get(server);
    if (found == null) {
      throw new IllegalArgumentException(server + " is not one of the servers");
    }
    return found;
  }

  List<Long> ids() {
    return byId.keySet().stream().sorted().toList();
  }

  @Nullable PeerAddress address(long id) {
    return byId.get(id);
  }

  /**
   * A replica there says that this is its id. Until then a guess stands for it. One that answers
   * from several addresses is asked at the latest of them, and is gone when another one answers
   * from each.
   *
   * @return whether they are others now
   */
  boolean learn(long id, PeerAddress from) {
    Long before = from.equals(byId.get(id)) ? null : ids.get(from);
    if (before == null) { // It is known, or there is no server to be asked.
      return false;
    }
    boolean isNew = !byId.containsKey(id);
    ids.put(from, id);
    byId.remove(before);
    ids.forEach((address, each) -> byId.putIfAbsent(each, address));
    byId.put(id, from);
    boolean isGone = !byId.containsKey(before);
    if (isGone && before != guess(from)) {
      gone.add(before);
    }
    return isNew || isGone;
  }

  /**
   * A replica there says that it has been there for so long: if that is since before its address
   * was known, its guess has stood for no other one.
   *
   * @return whether that is known now, and was not
   */
  boolean stayed(long id, PeerAddress from, long upMillis, long nowNanos) {
    Long sinceNanos = guessedNanos.get(from);
    if (sinceNanos == null
        || !Objects.equals(ids.get(from), id)
        || upMillis <= (nowNanos - sinceNanos) / NANOS_PER_MILLI) {
      return false;
    }
    guessedNanos.remove(from);
    return guesses.add(guess(from));
  }

  /** The guesses that have stood for the servers that are known now, since the last call. */
  List<Long> takeGuesses() {
    List<Long> taken = List.copyOf(guesses);
    guesses.clear();
    return taken;
  }

  /** Those who are no servers any more, since the last call. */
  List<Long> takeGone() {
    List<Long> taken = List.copyOf(gone);
    gone.clear();
    return taken;
  }

  private static long guess(PeerAddress address) {
    return NameHash.of(address.toString());
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
