package dev.tempest.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a node runs, finds its cluster and keeps its collections. Immutable; {@link #defaults} has
 * the defaults, the {@code with} methods change one thing each.
 *
 * @param cluster the name of the cluster, the same at all its nodes; nodes of other names are not
 *     seen
 * @param name what people call the node; empty if it has no name but its address
 * @param bind the host or address that the node listens on, or {@link #BIND_PRIVATE}
 * @param ports where it listens: the first of these ports that is free
 * @param discovery where it looks for others
 * @param expelAfter how long a member may be silent before the others go on without it; at least
 *     {@link #EXPEL_AFTER_MIN}
 * @param collections how collections are kept, by patterns of their names, each pattern once; of
 *     those that fit a name the most specific applies, whatever their order
 */
public record NodeConfig(
    String cluster,
    String name,
    String bind,
    PortRange ports,
    Discovery discovery,
    Duration expelAfter,
    List<CollectionRule> collections) {

  /** The cluster's name where none is given. */
  public static final String DEFAULT_CLUSTER = "tempest";

  /** All addresses of this machine that are loopback or of a private network. */
  public static final String BIND_PRIVATE = "private";

  /** Where a node listens that is told nothing else. */
  public static final PortRange DEFAULT_PORTS = new PortRange(7_500, 7_599);

  /** A member is silent for moments whenever its garbage is collected. */
  public static final Duration EXPEL_AFTER_MIN = Duration.ofSeconds(2);

  /** The others hold back what they settle while they wait. */
  public static final Duration EXPEL_AFTER_MAX = Duration.ofDays(1);

  /** The most patterns of collections. */
  public static final int COLLECTIONS_MAX = 1_024;

  static final String CLUSTER_FORM = "[A-Za-z][A-Za-z0-9._-]{0,63}";
  static final String NAME_FORM = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
  static final String HOST_FORM = "[A-Za-z0-9._:%-]{1,255}";

  private static final Pattern CLUSTER = Pattern.compile(CLUSTER_FORM);
  private static final Pattern NAME = Pattern.compile(NAME_FORM);
  private static final Pattern HOST = Pattern.compile(HOST_FORM);

  private static final NodeConfig DEFAULT =
      new NodeConfig(
          DEFAULT_CLUSTER,
          "",
          BIND_PRIVATE,
          DEFAULT_PORTS,
          Discovery.DEFAULT,
          Duration.ofSeconds(60),
          List.of());

  /** Refuses what cannot work, saying what can. */
  public NodeConfig {
    collections = List.copyOf(collections);
    if (!CLUSTER.matcher(cluster).matches()) {
      throw new IllegalArgumentException(
          "'"
              + cluster
              + "' is no name of a cluster: write a letter, then up to 63 letters, digits, dots,"
              + " dashes or underscores");
    }
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no name of a node: write up to 64 letters, digits, dots, dashes or"
              + " underscores, the first a letter or digit");
    }
    checkBind(bind);
    if (expelAfter.compareTo(EXPEL_AFTER_MIN) < 0 || expelAfter.compareTo(EXPEL_AFTER_MAX) > 0) {
      throw new IllegalArgumentException(
          "silent members are expelled after 2 s to 1 day, not " + expelAfter);
    }
    checkCollections(collections);
  }

  private static void checkBind(String bind) {
    if (!HOST.matcher(bind).matches()) {
      throw new IllegalArgumentException("'" + bind + "' is neither a host nor an IP address");
    }
    if (bind.equals("0.0.0.0") || bind.equals("::")) {
      throw new IllegalArgumentException(
          "a node does not listen on all addresses: '"
              + BIND_PRIVATE
              + "' stands for all that are not public");
    }
    PrivateAddresses.check("listen on", bind);
  }

  private static void checkCollections(List<CollectionRule> rules) {
    if (rules.size() > COLLECTIONS_MAX) {
      throw new IllegalArgumentException(
          rules.size() + " patterns of collections: use at most " + COLLECTIONS_MAX);
    }
    Set<String> patterns = new HashSet<>();
    for (CollectionRule rule : rules) {
      if (!patterns.add(rule.pattern())) {
        throw new IllegalArgumentException(
            "the pattern " + rule.pattern() + " is there twice: keep one of them");
      }
    }
  }

  /**
   * What holds where nothing is configured: the cluster {@value #DEFAULT_CLUSTER}, found on this
   * machine and this network.
   */
  public static NodeConfig defaults() {
    return DEFAULT;
  }

  /**
   * What is configured where this process runs; see {@link NodeSettings#load}.
   *
   * @throws ConfigException if something is configured that cannot work
   */
  public static NodeConfig load() {
    return NodeSettings.load().config();
  }

  /** How a collection is kept: as its {@link #rule} says, else by default. */
  public CollectionConfig collection(String collection) {
    return rule(collection).map(CollectionRule::config).orElse(CollectionConfig.DEFAULT);
  }

  /**
   * The rule for a collection: the one with its very name, else the one with the longest beginning
   * of it, if there is one.
   */
  public Optional<CollectionRule> rule(String collection) {
    return collections.stream()
        .filter(rule -> rule.matches(collection))
        .max(Comparator.comparingInt(CollectionRule::specificity));
  }

  /** The same with another cluster. */
  public NodeConfig withCluster(String other) {
    return new NodeConfig(other, name, bind, ports, discovery, expelAfter, collections);
  }

  /** The same with another name of the node, empty for none. */
  public NodeConfig withName(String other) {
    return new NodeConfig(cluster, other, bind, ports, discovery, expelAfter, collections);
  }

  /** The same bound to another host or address; {@code 127.0.0.1} keeps it on this machine. */
  public NodeConfig withBind(String host) {
    return new NodeConfig(cluster, name, host, ports, discovery, expelAfter, collections);
  }

  /** The same with other ports to choose from. */
  public NodeConfig withPorts(PortRange range) {
    return new NodeConfig(cluster, name, bind, range, discovery, expelAfter, collections);
  }

  /** The same with other places to look for others. */
  public NodeConfig withDiscovery(Discovery places) {
    return new NodeConfig(cluster, name, bind, ports, places, expelAfter, collections);
  }

  /** The same with these seeds, each {@code host:port}. */
  public NodeConfig withSeeds(String... places) {
    return withDiscovery(discovery.withSeeds(Arrays.stream(places).map(HostPort::parse).toList()));
  }

  /** The same with another time of silence before a member is expelled. */
  public NodeConfig withExpelAfter(Duration duration) {
    return new NodeConfig(cluster, name, bind, ports, discovery, duration, collections);
  }

  /**
   * The same with a rule for the collections that fit a pattern, in place of the one that this
   * pattern had.
   */
  public NodeConfig withCollection(String pattern, CollectionConfig config) {
    List<CollectionRule> rules = new ArrayList<>(collections);
    rules.removeIf(rule -> rule.pattern().equals(pattern));
    rules.add(new CollectionRule(pattern, config));
    return new NodeConfig(cluster, name, bind, ports, discovery, expelAfter, rules);
  }
}
