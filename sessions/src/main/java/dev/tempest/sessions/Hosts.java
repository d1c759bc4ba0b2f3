package dev.tempest.sessions;

import dev.tempest.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The processes that have the sessions of one name, and perhaps some that are gone. Its methods may
 * wait, as writes and reads of linearizable collections do.
 */
final class Hosts {
  private record Here(Node node, String name) {}

  /**
   * How many in this process have them: two versions of a web application do that are deployed in
   * parallel.
   */
  private static final Map<Here, Integer> USERS = new ConcurrentHashMap<>();

  private final Here here;
  private final String address;
  private final Set<String> addresses;
  private volatile boolean hasLeft;

  private Hosts(Here here) {
    this.here = here;
    this.address = here.node.members().getFirst();
    this.addresses = here.node.set(here.name + "-hosts", String.class);
  }

  /** For one more in this process, who calls {@link #leave} once. */
  static Hosts of(Node node, String name) {
    Here here = new Here(node, name);
    Hosts hosts = new Hosts(here);
    USERS.merge(here, 1, Integer::sum);
    return hosts;
  }

  /** Says that this process has them, unless it has left meanwhile. */
  void enter() {
    if (hasLeft) {
      return;
    }
    addresses.add(address);
    if (hasLeft && !USERS.containsKey(here)) {
      addresses.remove(address);
    }
  }

  void removeThoseGone() {
    addresses.retainAll(here.node.members());
  }

  void leave() {
    hasLeft = true;
    boolean isLast =
        USERS.computeIfPresent(here, (key, users) -> users > 1 ? users - 1 : null) == null;
    if (isLast) {
      addresses.remove(address);
    }
  }

  /**
   * Of which sessions this process is the one that ends them, if they have expired now. Where all
   * know the same members, each session has one such process.
   */
  Predicate<UUID> choice() {
    Set<String> all = Set.copyOf(addresses);
    List<String> alive = here.node.members().stream().filter(all::contains).toList();
    return key ->
        alive.stream()
            .max(Comparator.comparingLong(host -> weight(host, key)))
            .filter(address::equals)
            .isPresent();
  }

  private static long weight(String host, UUID key) {
    long mixed = (host.hashCode() * 0x9E3779B97F4A7C15L) ^ key.getLeastSignificantBits();
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }
}
