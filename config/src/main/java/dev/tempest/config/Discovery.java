package dev.tempest.config;

import java.util.List;
import java.util.Optional;

/**
 * Where a node looks for others of its cluster. Immutable; {@link #DEFAULT} is this machine and
 * this network, the {@code with} methods change one thing each.
 *
 * @param multicastPort the port of the cluster's multicast group; 0 for no multicast
 * @param loopback whether other nodes are looked for on the ports of this machine
 * @param seeds places where other nodes may be, at most {@link #SEEDS_MAX}
 * @param dns a name whose every address may be a node, such as that of a headless service in
 *     Kubernetes, with the port of them all
 */
public record Discovery(
    int multicastPort, boolean loopback, List<HostPort> seeds, Optional<HostPort> dns) {
  /** The port of a cluster's multicast group where none is given; that of servers is another. */
  public static final int DEFAULT_MULTICAST_PORT = 45_791;

  /** One node that answers is enough to find all; more seeds than this are no help. */
  public static final int SEEDS_MAX = 64;

  /** By multicast and on this machine. */
  public static final Discovery DEFAULT =
      new Discovery(DEFAULT_MULTICAST_PORT, true, List.of(), Optional.empty());

  /** Nowhere: a node with this finds nobody, though others may find it. */
  public static final Discovery NONE = new Discovery(0, false, List.of(), Optional.empty());

  /** Refuses what cannot work, saying what can. */
  public Discovery {
    seeds = List.copyOf(seeds);
    if (multicastPort < 0 || multicastPort > HostPort.PORT_MAX) {
      throw new IllegalArgumentException(
          "the multicast port is 1 to 65535, or 0 for none, not " + multicastPort);
    }
    if (seeds.size() > SEEDS_MAX) {
      throw new IllegalArgumentException(
          seeds.size() + " seeds: name at most " + SEEDS_MAX + ", or one DNS name for all");
    }
    for (HostPort seed : seeds) {
      PrivateAddresses.check("look for others at", seed.host());
    }
  }

  /** The same with another port for the multicast group, 0 for no multicast. */
  public Discovery withMulticastPort(int port) {
    return new Discovery(port, loopback, seeds, dns);
  }

  /** The same with or without a look at the ports of this machine. */
  public Discovery withLoopback(boolean looks) {
    return new Discovery(multicastPort, looks, seeds, dns);
  }

  /** The same with these seeds. */
  public Discovery withSeeds(List<HostPort> places) {
    return new Discovery(multicastPort, loopback, places, dns);
  }

  /** The same with another name whose addresses are nodes. */
  public Discovery withDns(HostPort name) {
    return new Discovery(multicastPort, loopback, seeds, Optional.of(name));
  }
}
