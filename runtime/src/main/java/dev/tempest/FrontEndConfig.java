package dev.tempest;

import dev.tempest.config.HostPort;
import dev.tempest.protocol.order.ClientTable;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a front-end reaches its servers. {@link #of} has the defaults, {@link #builder} and {@link
 * #toBuilder} change them.
 *
 * <p>Immutable.
 */
public final class FrontEndConfig {
  /** The cluster's name where none is given. */
  public static final String DEFAULT_CLUSTER = "tempest";

  private static final Duration RETRY_AFTER = Duration.ofMillis(50);

  /** The port of multicast groups where none is given. */
  public static final int DEFAULT_MULTICAST_PORT = 45_790;

  /** Replicas remember a silent client for twice as long, so that no retry runs a second time. */
  public static final Duration DEADLINE_MAX = Duration.ofMillis(ClientTable.RETENTION_MILLIS / 2);

  private final String cluster;
  private final List<String> servers;
  private final int multicastPort;
  private final int acks;
  private final Duration deadline;
  private final Duration retryAfter;
  private final Reads reads;
  private final Map<String, Reads> readsOf;
  private final Executor executor;

  private FrontEndConfig(Builder builder) {
    this.cluster = builder.cluster;
    this.servers = builder.servers;
    this.multicastPort = builder.multicastPort;
    this.acks = builder.acks;
    this.deadline = builder.deadline;
    this.retryAfter = builder.retryAfter == null ? retryWithin(deadline) : builder.retryAfter;
    this.reads = builder.reads;
    this.readsOf = Map.copyOf(builder.readsOf);
    this.executor = builder.executor;
    check();
  }

  private static Duration retryWithin(Duration deadline) {
    return RETRY_AFTER.compareTo(deadline) < 0 ? RETRY_AFTER : deadline;
  }

  private void check() {
    require(!cluster.isBlank(), "The cluster name is blank");
    require(!servers.isEmpty(), "No servers given; name at least one as host:port");
    require(
        multicastPort >= 0 && multicastPort <= 65_535,
        "Invalid multicast port " + multicastPort + ": use 1 to 65535, or 0 for no multicast");
    require(
        acks >= 1 && (acks <= servers.size() || servers.stream().anyMatch(FrontEndConfig::isName)),
        "Invalid acks " + acks + ": use 1 to the number of servers, " + servers.size());
    requireDeadline(deadline);
    require(
        retryAfter.compareTo(Duration.ofMillis(1)) >= 0 && retryAfter.compareTo(deadline) <= 0,
        "Invalid retryAfter " + retryAfter + ": use 1 ms to the deadline, " + deadline);
  }

  private static void require(boolean valid, String complaint) {
    if (!valid) {
      throw new IllegalArgumentException(complaint);
    }
  }

  /** It may have any number of addresses. */
  private static boolean isName(String server) {
    return !HostPort.isAddress(server.substring(0, Math.max(0, server.lastIndexOf(':'))));
  }

  static void requireDeadline(Duration deadline) {
    require(
        deadline.compareTo(Duration.ofMillis(1)) >= 0 && deadline.compareTo(DEADLINE_MAX) <= 0,
        "Invalid deadline " + deadline + ": use 1 ms to " + DEADLINE_MAX.toMinutes() + " minutes");
  }

  /** The defaults for these servers, each {@code host:port} as in {@link #servers}. */
  public static FrontEndConfig of(String... servers) {
    return builder(servers).build();
  }

  /** The defaults for these servers, each {@code host:port} as in {@link #servers}. */
  public static FrontEndConfig of(List<String> servers) {
    return builder(servers).build();
  }

  /** Begins with the defaults for these servers, each {@code host:port} as in {@link #servers}. */
  public static Builder builder(String... servers) {
    return builder(Arrays.asList(servers));
  }

  /** Begins with the defaults for these servers, each {@code host:port} as in {@link #servers}. */
  public static Builder builder(List<String> servers) {
    return new Builder(servers);
  }

  /** Begins with what this configuration says. */
  public Builder toBuilder() {
    Builder builder =
        new Builder(servers)
            .cluster(cluster)
            .multicastPort(multicastPort)
            .acks(acks)
            .deadline(deadline)
            .retryAfter(retryAfter)
            .reads(reads)
            .executor(executor);
    readsOf.forEach(builder::reads);
    return builder;
  }

  /** The name of the cluster. */
  public String cluster() {
    return cluster;
  }

  /**
   * All servers of the cluster as {@code host:port}. A host's name stands for all its addresses of
   * one family, and is looked up again while a server does not answer.
   */
  public List<String> servers() {
    return servers;
  }

  /** The port of the services' multicast groups; 0 for none. */
  public int multicastPort() {
    return multicastPort;
  }

  /** How many replicas have executed an update when its call returns. */
  public int acks() {
    return acks;
  }

  /** When a call that nobody answers ends as unknown. */
  public Duration deadline() {
    return deadline;
  }

  /** How long to wait for the first answer before a request is sent again. */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Where futures complete. */
  public Executor executor() {
    return executor;
  }

  /** How many replicas a read of a service asks. */
  public Reads reads(String service) {
    return readsOf.getOrDefault(service, reads);
  }

  /** Changes the defaults, then {@linkplain #build builds} a configuration. Not thread-safe. */
  public static final class Builder {
    private final List<String> servers;
    private final Map<String, Reads> readsOf = new LinkedHashMap<>();
    private String cluster = DEFAULT_CLUSTER;
    private int multicastPort = DEFAULT_MULTICAST_PORT;
    private int acks = 1;
    private Duration deadline = Duration.ofSeconds(5);
    private @Nullable Duration retryAfter;
    private Reads reads = Reads.of(2);
    private Executor executor = Thread::startVirtualThread;

    private Builder(List<String> servers) {
      this.servers = List.copyOf(servers);
    }

    /** The name of the cluster, the same at its servers. Default: {@link #DEFAULT_CLUSTER}. */
    public Builder cluster(String name) {
      this.cluster = name;
      return this;
    }

    /**
     * The port of the services' multicast groups, the same at the servers. With 0 there is no
     * multicast: every server gets a datagram of its own. Default: {@link #DEFAULT_MULTICAST_PORT}.
     */
    public Builder multicastPort(int port) {
      this.multicastPort = port;
      return this;
    }

    /** How many replicas must have executed an update before its call returns. Default: 1. */
    public Builder acks(int count) {
      this.acks = count;
      return this;
    }

    /**
     * When a call that nobody answers ends as unknown, at most {@link #DEADLINE_MAX}. Default: 5 s.
     */
    public Builder deadline(Duration duration) {
      this.deadline = Objects.requireNonNull(duration);
      return this;
    }

    /**
     * How long to wait for the first answer before a request is sent again; less once the front-end
     * knows what answers usually take. Default: 50 ms, or the deadline if that is shorter.
     */
    public Builder retryAfter(Duration duration) {
      this.retryAfter = Objects.requireNonNull(duration);
      return this;
    }

    /** How many replicas a read asks. Default: {@code Reads.of(2)}. */
    public Builder reads(Reads asked) {
      this.reads = Objects.requireNonNull(asked);
      return this;
    }

    /** How many replicas a read of one service asks, where that differs. */
    public Builder reads(String service, Reads asked) {
      readsOf.put(Objects.requireNonNull(service), Objects.requireNonNull(asked));
      return this;
    }

    /**
     * Where futures complete and their dependent stages run. With {@code Runnable::run} that is the
     * thread that receives for all front-ends with these servers in the process, and must not
     * block. Default: a virtual thread for each.
     */
    public Builder executor(Executor other) {
      this.executor = Objects.requireNonNull(other);
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if it is not valid; the message says what is
     */
    public FrontEndConfig build() {
      return new FrontEndConfig(this);
    }
  }
}
