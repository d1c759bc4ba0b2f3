package dev.tempest.runtime;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.MulticastGroups;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a server runs. Immutable; {@link #of} has the defaults, the {@code with} methods change one
 * thing each.
 *
 * @param cluster the name of the cluster, the same at all its servers and front-ends
 * @param self this server as it stands in {@code servers}; its port is the one bound
 * @param servers all servers of the cluster as {@code host:port}, this one included, spelt alike
 *     everywhere
 * @param bindHost the address to bind; a loopback address unless other machines are to reach it
 * @param multicastPort the port of the services' multicast groups; 0 for no multicast
 * @param gossipInterval the time between two gossip rounds that this server starts
 * @param dropPercent how many of 100 incoming datagrams are thrown away on purpose, for tests
 * @param options of services, by name; {@link ServiceOptions#DEFAULTS} for those that are not there
 */
public record ServerConfig(
    String cluster,
    String self,
    List<String> servers,
    String bindHost,
    int multicastPort,
    Duration gossipInterval,
    double dropPercent,
    Map<String, ServiceOptions> options) {

  /** Refuses what cannot work, saying what can. */
  public ServerConfig {
    servers = List.copyOf(servers);
    options = Map.copyOf(options);
    if (cluster.isBlank()) {
      throw new IllegalArgumentException("the cluster's name is blank");
    }
    if (!servers.contains(self)) {
      throw new IllegalArgumentException(
          "the server itself, " + self + ", is not among the servers " + servers);
    }
    if (servers.stream().distinct().count() < servers.size()) {
      throw new IllegalArgumentException("a server is listed twice: " + servers);
    }
    if (multicastPort < 0 || multicastPort > 65_535) {
      throw new IllegalArgumentException(
          "the multicast port is 1 to 65535, or 0 for none, not " + multicastPort);
    }
    if (gossipInterval.compareTo(Duration.ofMillis(1)) < 0
        || gossipInterval.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "the gossip interval is 1 ms to 1 h, not " + gossipInterval);
    }
    if (!(dropPercent >= 0 && dropPercent <= 100)) {
      throw new IllegalArgumentException("dropPercent is 0 to 100, not " + dropPercent);
    }
  }

  /** The defaults for a server among {@code servers}: bound to loopback. */
  public static ServerConfig of(String self, List<String> servers) {
    return new ServerConfig(
        FrontEndConfig.DEFAULT_CLUSTER,
        self,
        servers,
        "127.0.0.1",
        FrontEndConfig.DEFAULT_MULTICAST_PORT,
        Duration.ofMillis(100),
        0,
        Map.of());
  }

  /** Where requests to a service are multicast, for those who watch or filter the network. */
  public InetSocketAddress groupOf(String service) {
    return MulticastGroups.of(NameHash.of(cluster), NameHash.of(service), multicastPort);
  }

  /** The same with another cluster. */
  public ServerConfig withCluster(String name) {
    return new ServerConfig(
        name, self, servers, bindHost, multicastPort, gossipInterval, dropPercent, options);
  }

  /** The same bound to another address. */
  public ServerConfig withBindHost(String host) {
    return new ServerConfig(
        cluster, self, servers, host, multicastPort, gossipInterval, dropPercent, options);
  }

  /** The same with another port for multicast groups, 0 for no multicast. */
  public ServerConfig withMulticastPort(int port) {
    return new ServerConfig(
        cluster, self, servers, bindHost, port, gossipInterval, dropPercent, options);
  }

  /** The same with another gossip interval. */
  public ServerConfig withGossipInterval(Duration interval) {
    return new ServerConfig(
        cluster, self, servers, bindHost, multicastPort, interval, dropPercent, options);
  }

  /** The same with some of the incoming datagrams thrown away. */
  public ServerConfig withDropPercent(double percent) {
    return new ServerConfig(
        cluster, self, servers, bindHost, multicastPort, gossipInterval, percent, options);
  }

  /** The same with other options for one service. */
  public ServerConfig withService(String service, ServiceOptions chosen) {
    Map<String, ServiceOptions> all = new HashMap<>(options);
    all.put(service, chosen);
    return new ServerConfig(
        cluster, self, servers, bindHost, multicastPort, gossipInterval, dropPercent, all);
  }

  /** The options of a service. */
  public ServiceOptions options(String service) {
    return options.getOrDefault(service, ServiceOptions.DEFAULTS);
  }
}
