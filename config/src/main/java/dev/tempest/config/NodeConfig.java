package dev.tempest.config;

import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.file.DurationText;
import dev.tempest.config.file.NodeSettings;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a process runs, finds its cluster, and what it keeps and hosts: what {@code tempest.yaml}
 * says, in the same words. Immutable; {@link #builder} makes one.
 *
 * <pre>{@code
 * NodeConfig.builder().cluster("shop").listen("10.0.0.1:7400").seeds("10.0.0.2:7400").build();
 * }</pre>
 */
public final class NodeConfig {
  /** The cluster's name where none is given. */
  public static final String DEFAULT_CLUSTER = "tempest";

  /** The port of the cluster's multicast groups where none is given. */
  public static final int DEFAULT_MULTICAST_PORT = 45_790;

  /** A member is silent for moments whenever its garbage is collected. */
  public static final Duration EXPEL_AFTER_MIN = Duration.ofSeconds(2);

  /** The others hold back what they settle while they wait. */
  public static final Duration EXPEL_AFTER_MAX = Duration.ofDays(1);

  /** One node that answers is enough to find all; more seeds than this are no help. */
  public static final int SEEDS_MAX = 64;

  /** More would make every request a flood. */
  public static final int MEMBERS_MAX = 64;

  /** The most networks beside the private ones. */
  public static final int ALLOW_MAX = 64;

  /** The most patterns of collections. */
  public static final int COLLECTIONS_MAX = 1_024;

  /** The most services. */
  public static final int SERVICES_MAX = 256;

  private static final NodeConfig DEFAULT = builder().build();

  private final String cluster;
  private final String name;
  private final ListenAddress listen;
  private final String advertise;
  private final List<Network> allow;
  private final int multicastPort;
  private final boolean loopback;
  private final List<HostPort> seeds;
  private final Optional<HostPort> dns;
  private final List<HostPort> members;
  private final Duration expelAfter;
  private final boolean shutdownHook;
  private final CheckpointConfig checkpoints;
  private final WaitConfig waits;
  private final List<CollectionRule> collections;
  private final List<ServiceConfig> services;

  private NodeConfig(Builder builder) {
    this.cluster = builder.cluster;
    this.name = builder.name;
    this.listen = builder.listen;
    this.advertise = builder.advertise;
    this.allow = builder.allow;
    this.multicastPort = builder.multicastPort;
    this.members = builder.places(builder.members);
    this.loopback = builder.loopback && members.isEmpty();
    this.seeds = builder.places(builder.seeds);
    this.dns = builder.places(builder.dns).stream().findFirst();
    this.expelAfter = builder.expelAfter;
    this.shutdownHook = builder.shutdownHook;
    this.checkpoints = builder.checkpoints;
    this.waits = builder.waits;
    this.collections =
        builder.collections.entrySet().stream()
            .map(rule -> new CollectionRule(rule.getKey(), rule.getValue()))
            .toList();
    this.services = List.copyOf(builder.services.values());
  }

  /**
   * What holds where nothing is configured: the cluster {@value #DEFAULT_CLUSTER}, found on this
   * machine and this network.
   */
  public static NodeConfig defaults() {
    return DEFAULT;
  }

  /**
   * What is configured where this process runs: by the file that the environment variable {@value
   * NodeSettings#FILE_VARIABLE} names, else by {@value NodeSettings#FILE} in the working directory,
   * else in the class path, else the defaults; and over that by the other {@code TEMPEST_}
   * variables of the environment.
   *
   * @throws ConfigException if something is written that cannot work; it names all of it
   */
  public static NodeConfig load() {
    return NodeSettings.load().config();
  }

  /** The same, with a file that is named. */
  public static NodeConfig load(java.nio.file.Path file) {
    return NodeSettings.load(file, Map.of()).config();
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins with what this one says. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.cluster = cluster;
    builder.name = name;
    builder.listen = listen;
    builder.advertise = advertise;
    builder.allow = allow;
    builder.multicastPort = multicastPort;
    builder.loopback = loopback;
    builder.seeds = HostPort.texts(seeds);
    builder.dns = HostPort.texts(dns.stream().toList());
    builder.members = HostPort.texts(members);
    builder.expelAfter = expelAfter;
    builder.shutdownHook = shutdownHook;
    builder.checkpoints = checkpoints;
    builder.waits = waits;
    collections.forEach(rule -> builder.collections.put(rule.pattern(), rule.config()));
    services.forEach(service -> builder.services.put(service.name(), service));
    return builder;
  }

  /** The name of the cluster, the same at all its nodes; nodes of other clusters are not seen. */
  public String cluster() {
    return cluster;
  }

  /** The display name of the node; empty if it goes by its address. */
  public String name() {
    return name;
  }

  /** Where the node listens. */
  public ListenAddress listen() {
    return listen;
  }

  /**
   * Where others reach the node, if that is not where it listens.
   *
   * @param boundPort the port on which it listens, which is meant where none is given
   */
  public Optional<HostPort> advertise(int boundPort) {
    return advertise.isEmpty()
        ? Optional.empty()
        : Optional.of(HostPort.parse(advertise, boundPort));
  }

  /**
   * Whether messages from an address are accepted: those from private addresses are, and from what
   * {@link Builder#allow} says.
   */
  public boolean isAllowed(InetAddress address) {
    return Network.isPrivate(address) || Network.isAmong(allow, address);
  }

  /** The port of the cluster's multicast groups; 0 for no multicast. */
  public int multicastPort() {
    return multicastPort;
  }

  /** Whether the node looks for others on the ports of this machine. */
  public boolean loopback() {
    return loopback;
  }

  /** Where other nodes may be. */
  public List<HostPort> seeds() {
    return seeds;
  }

  /** A name whose every address may be a node. */
  public Optional<HostPort> dns() {
    return dns;
  }

  /** All nodes of the cluster if the list is fixed; empty if they are found. */
  public List<HostPort> members() {
    return members;
  }

  /** How long a member may be silent before the others go on without it. */
  public Duration expelAfter() {
    return expelAfter;
  }

  /** Whether the node leaves its cluster by itself when the JVM shuts down. */
  public boolean shutdownHook() {
    return shutdownHook;
  }

  /** Whether and when the node writes what it has to disk. */
  public CheckpointConfig checkpoints() {
    return checkpoints;
  }

  /** What writes into collections wait for, and reads of linearizable ones. */
  public WaitConfig waits() {
    return waits;
  }

  /** How collections are kept, by patterns of their names, each pattern once. */
  public List<CollectionRule> collections() {
    return collections;
  }

  /** The services that the node hosts, each name once. */
  public List<ServiceConfig> services() {
    return services;
  }

  /**
   * How a collection is kept: as its {@link #rule} says, else by default; with its acks, unless it
   * is linearizable.
   */
  public CollectionConfig collection(String collection) {
    CollectionConfig config =
        rule(collection).map(CollectionRule::config).orElse(CollectionConfig.defaults());
    return config.acks() == 0 && !config.isLinearizable()
        ? config.toBuilder().acks(waits.acks()).build()
        : config;
  }

  /**
   * The rule for a collection: the one with its very name, else the one with the longest beginning
   * of it, if there is one.
   */
  public Optional<CollectionRule> rule(String collection) {
    return CollectionRule.of(collection, collections);
  }

  /**
   * Gathers a configuration; refuses what cannot work, with an {@link IllegalArgumentException}
   * that says what can. Not thread-safe.
   */
  public static final class Builder {
    private String cluster = DEFAULT_CLUSTER;
    private String name = "";
    private ListenAddress listen = ListenAddress.DEFAULT;
    private String advertise = "";
    private List<Network> allow = List.of();
    private int multicastPort = DEFAULT_MULTICAST_PORT;
    private boolean loopback = true;
    private List<String> seeds = List.of();
    private List<String> dns = List.of();
    private List<String> members = List.of();
    private Duration expelAfter = Duration.ofSeconds(60);
    private boolean shutdownHook = true;
    private CheckpointConfig checkpoints = CheckpointConfig.NONE;
    private WaitConfig waits = WaitConfig.DEFAULT;
    private final Map<String, CollectionConfig> collections = new LinkedHashMap<>();
    private final Map<String, ServiceConfig> services = new LinkedHashMap<>();

    private Builder() {}

    /** The name of the cluster, the same at all its nodes; default: {@value #DEFAULT_CLUSTER}. */
    public Builder cluster(String chosen) {
      cluster = NodeNames.checkCluster(chosen);
      return this;
    }

    /** The display name of the node; default: empty, it goes by its address. */
    public Builder name(String chosen) {
      name = NodeNames.checkName(chosen);
      return this;
    }

    /**
     * Where the node listens: {@code host}, {@code host:port} or {@code host:first-last}, of which
     * it takes the first free port. The host {@code private} stands for all addresses of this
     * machine. Default: {@code private:7400-7499}.
     */
    public Builder listen(String address) {
      listen = ListenAddress.parse(address);
      return this;
    }

    /**
     * Where others reach the node, {@code host} or {@code host:port}, if that is not where it
     * listens; empty (the default) if it is.
     */
    public Builder advertise(String address) {
      if (!address.isEmpty()) {
        HostPort.parse(address, 1);
      }
      advertise = address;
      return this;
    }

    /**
     * Networks whose messages are accepted beside those of private addresses, such as {@code
     * 203.0.113.0/24}: whoever sends from there can join.
     */
    public Builder allow(String... networks) {
      requireAtMost(ALLOW_MAX, networks.length, "networks allowed: name");
      allow = Arrays.stream(networks).map(Network::parse).toList();
      return this;
    }

    /** The port of the cluster's multicast groups; 0 for no multicast. */
    public Builder multicastPort(int port) {
      require(
          port >= 0 && port <= HostPort.PORT_MAX,
          "the multicast port must be 1 to 65535, or 0 for none, not " + port);
      multicastPort = port;
      return this;
    }

    /** Whether the node looks for others on the ports of this machine; default: true. */
    public Builder loopback(boolean looks) {
      loopback = looks;
      return this;
    }

    /**
     * Where other nodes may be, at most {@link #SEEDS_MAX}, each {@code host:port}; without a port,
     * the first of this node's own.
     */
    public Builder seeds(String... places) {
      require(
          places.length <= SEEDS_MAX,
          places.length + " seeds: name at most " + SEEDS_MAX + ", or one DNS name for all");
      seeds = HostPort.checked(places);
      return this;
    }

    /**
     * A name whose every address may be a node, such as that of a headless service in Kubernetes;
     * without a port, the first of this node's own. Empty (the default) for none.
     */
    public Builder dns(String place) {
      dns = place.isEmpty() ? List.of() : HostPort.checked(place);
      return this;
    }

    /**
     * All nodes of the cluster, this one included, at most {@link #MEMBERS_MAX}, each {@code
     * host:port}; then nobody is searched for. None (the default) if they are found. The list keeps
     * nobody out: another process that reaches one of them joins as well.
     */
    public Builder members(String... places) {
      requireAtMost(MEMBERS_MAX, places.length, "members: name");
      members = MemberList.checked(places);
      return this;
    }

    /**
     * How long a member may be silent before the others go on without it, from {@link
     * #EXPEL_AFTER_MIN} to {@link #EXPEL_AFTER_MAX}; default: 60 seconds.
     */
    public Builder expelAfter(Duration silence) {
      require(
          silence.compareTo(EXPEL_AFTER_MIN) >= 0 && silence.compareTo(EXPEL_AFTER_MAX) <= 0,
          "silent members must be expelled after 2 s to 1 day, not " + DurationText.of(silence));
      expelAfter = silence;
      return this;
    }

    /**
     * Whether the node leaves its cluster by itself when the JVM shuts down; default: true. Without
     * it, close the node.
     */
    public Builder shutdownHook(boolean leaves) {
      shutdownHook = leaves;
      return this;
    }

    /** The folder for the checkpoints of this process alone; empty (the default) for none. */
    public Builder checkpointFolder(String folder) {
      checkpoints = checkpoints.in(folder);
      return this;
    }

    /** How often there is a checkpoint, from 1 second to 1 day; default: every minute. */
    public Builder checkpointEvery(Duration time) {
      checkpoints = checkpoints.every(time);
      return this;
    }

    /** Where logs of linearizable services and collections are; default: in memory. */
    public Builder log(CheckpointConfig.Log where) {
      checkpoints = checkpoints.log(where);
      return this;
    }

    /**
     * How many nodes, the writer included, have a write into a collection before it returns, where
     * the collection does not say: 1 (the default) to {@link CollectionConfig#ACKS_MAX}.
     */
    public Builder acks(int nodes) {
      waits = waits.withAcks(nodes);
      return this;
    }

    /**
     * How long a write waits for other nodes: to have it, or to make room for it; of linearizable
     * collections how long a read or a write takes until it counts, with the function that it
     * executes. 1 ms to {@link WaitConfig#DEADLINE_MAX}, default: 10 seconds.
     */
    public Builder deadline(Duration longest) {
      waits = waits.withDeadline(longest);
      return this;
    }

    /** How many writes of this node another one may lack before writers wait; default: 10,000. */
    public Builder maxAhead(int entries) {
      waits = waits.withMaxAhead(entries);
      return this;
    }

    /**
     * Whom reads of linearizable collections ask: {@link Reads#LINEARIZABLE} (the default), {@link
     * Reads#LEASE} or {@link Reads#LOCAL}; the same at all nodes.
     */
    public Builder reads(Reads chosen) {
      waits = waits.withReads(chosen);
      return this;
    }

    /** How collections are kept whose names fit a pattern: a name, or a beginning and a star. */
    public Builder collection(String pattern, CollectionConfig config) {
      CollectionRule rule = new CollectionRule(pattern, Objects.requireNonNull(config));
      collections.put(rule.pattern(), rule.config());
      requireAtMost(COLLECTIONS_MAX, collections.size(), "patterns of collections: use");
      return this;
    }

    /** A service to host. */
    public Builder service(ServiceConfig service) {
      require(
          services.putIfAbsent(service.name(), service) == null,
          "the service '" + service.name() + "' is listed twice");
      requireAtMost(SERVICES_MAX, services.size(), "services: host");
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if two things that were said cannot both be, or an address
     *     is neither private nor allowed
     */
    public NodeConfig build() {
      require(
          members.isEmpty() || (seeds.isEmpty() && dns.isEmpty()),
          "members is the whole list, so seeds and dns cannot be used");
      if (!listen.isEverywhere()) {
        Network.requireAllowed(allow, listen.host());
      }
      if (members.isEmpty()) {
        Majority.refuse(collections, services.values());
      }
      Majority.refuseForPrimary(members.size(), services.values());
      checkpoints.requireFolder();
      FastBallots.refuse(services.values(), checkpoints.log());
      MemberList.requireApart(places(members));
      List<String> advertised = advertise.isEmpty() ? List.of() : List.of(advertise);
      for (List<String> each : List.of(advertised, seeds, dns, members)) {
        places(each).forEach(place -> Network.requireAllowed(allow, place.host()));
      }
      return new NodeConfig(this);
    }

    /** As far as no port was given, with the first of this node's own. */
    private List<HostPort> places(List<String> texts) {
      return texts.stream().map(text -> HostPort.parse(text, listen.ports().first())).toList();
    }

    private static void requireAtMost(int max, int count, String what) {
      require(count <= max, count + " " + what + " at most " + max);
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalArgumentException(otherwise);
      }
    }
  }
}
