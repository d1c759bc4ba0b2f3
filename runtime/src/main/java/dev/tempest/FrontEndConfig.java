package dev.tempest;

import dev.tempest.protocol.ClientTable;
import dev.tempest.protocol.frontend.Reads;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * How a front-end reaches its servers. Immutable; {@link #of} has the defaults, the {@code with}
 * methods change one thing each.
 *
 * @param cluster the name of the cluster, the same at its servers
 * @param servers all servers of the cluster as {@code host:port}, spelt as in their configuration
 * @param multicastPort the port of the services' multicast groups, the same at the servers; 0 for
 *     none, then every server gets a datagram of its own
 * @param acks how many replicas have executed an update before its caller goes on, from 1
 * @param deadline when a request that nobody answers ends as unknown; at most {@link #DEADLINE_MAX}
 * @param retryAfter how long to wait for the first answer before a request is sent again; less once
 *     the front-end knows what answers usually take
 * @param reads how many replicas a read asks, {@code Reads.of(2)} where nothing else is said
 * @param readsOf the same for single services by name, where it differs
 * @param dropPercent how many of 100 incoming datagrams are thrown away on purpose, for tests
 * @param executor where futures complete, and so what depends on them runs; {@code Runnable::run}
 *     is the thread that receives for all front-ends of the process with these servers, which must
 *     not wait
 */
public record FrontEndConfig(
    String cluster,
    List<String> servers,
    int multicastPort,
    int acks,
    Duration deadline,
    Duration retryAfter,
    Reads reads,
    Map<String, Reads> readsOf,
    double dropPercent,
    Executor executor) {

  /** The cluster's name where none is given. */
  public static final String DEFAULT_CLUSTER = "tempest";

  /** The port of multicast groups where none is given. */
  public static final int DEFAULT_MULTICAST_PORT = 45_790;

  /** Replicas remember a silent client for twice as long, so that no retry runs a second time. */
  public static final Duration DEADLINE_MAX = Duration.ofMillis(ClientTable.RETENTION_MILLIS / 2);

  /** Refuses what cannot work, saying what can. */
  public FrontEndConfig {
    servers = List.copyOf(servers);
    readsOf = Map.copyOf(readsOf);
    if (cluster.isBlank()) {
      throw new IllegalArgumentException("the cluster's name is blank");
    }
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("give at least one server as host:port");
    }
    if (multicastPort < 0 || multicastPort > 65_535) {
      throw new IllegalArgumentException(
          "the multicast port is 1 to 65535, or 0 for none, not " + multicastPort);
    }
    if (acks < 1 || acks > servers.size()) {
      throw new IllegalArgumentException(
          "acks is 1 to the number of servers, " + servers.size() + ", not " + acks);
    }
    requireDeadline(deadline);
    if (retryAfter.compareTo(Duration.ofMillis(1)) < 0 || retryAfter.compareTo(deadline) > 0) {
      throw new IllegalArgumentException(
          "retryAfter is at least 1 ms and at most deadline, " + deadline + ", not " + retryAfter);
    }
    if (!(dropPercent >= 0 && dropPercent <= 100)) {
      throw new IllegalArgumentException("dropPercent is 0 to 100, not " + dropPercent);
    }
  }

  static void requireDeadline(Duration deadline) {
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(DEADLINE_MAX) > 0) {
      throw new IllegalArgumentException(
          "a deadline is from 1 ms to " + DEADLINE_MAX.toMinutes() + " minutes, not " + deadline);
    }
  }

  /** The defaults for these servers, each {@code host:port}. */
  public static FrontEndConfig of(String... servers) {
    return of(Arrays.asList(servers));
  }

  /** The defaults for these servers, each {@code host:port}. */
  public static FrontEndConfig of(List<String> servers) {
    return new FrontEndConfig(
        DEFAULT_CLUSTER,
        servers,
        DEFAULT_MULTICAST_PORT,
        1,
        Duration.ofSeconds(5),
        Duration.ofMillis(50),
        Reads.of(2),
        Map.of(),
        0,
        Thread::startVirtualThread);
  }

  /** How many replicas a read of a service asks. */
  public Reads readsOf(String service) {
    return readsOf.getOrDefault(service, reads);
  }

  /** The same with another cluster. */
  public FrontEndConfig withCluster(String name) {
    return new FrontEndConfig(
        name,
        servers,
        multicastPort,
        acks,
        deadline,
        retryAfter,
        reads,
        readsOf,
        dropPercent,
        executor);
  }

  /** The same with another port for multicast groups, 0 for no multicast. */
  public FrontEndConfig withMulticastPort(int port) {
    return new FrontEndConfig(
        cluster, servers, port, acks, deadline, retryAfter, reads, readsOf, dropPercent, executor);
  }

  /** The same with another number of replicas that have executed an update when it completes. */
  public FrontEndConfig withAcks(int count) {
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        count,
        deadline,
        retryAfter,
        reads,
        readsOf,
        dropPercent,
        executor);
  }

  /** The same with another deadline. */
  public FrontEndConfig withDeadline(Duration duration) {
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        acks,
        duration,
        retryAfter,
        reads,
        readsOf,
        dropPercent,
        executor);
  }

  /** The same with another time before the first retry. */
  public FrontEndConfig withRetryAfter(Duration duration) {
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        acks,
        deadline,
        duration,
        reads,
        readsOf,
        dropPercent,
        executor);
  }

  /** The same with other replicas to ask for reads. */
  public FrontEndConfig withReads(Reads asked) {
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        acks,
        deadline,
        retryAfter,
        asked,
        readsOf,
        dropPercent,
        executor);
  }

  /** The same with other replicas to ask for the reads of one service. */
  public FrontEndConfig withReads(String service, Reads asked) {
    Map<String, Reads> changed = new LinkedHashMap<>(readsOf);
    changed.put(service, asked);
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        acks,
        deadline,
        retryAfter,
        reads,
        changed,
        dropPercent,
        executor);
  }

  /** The same with another executor for futures. */
  public FrontEndConfig withExecutor(Executor other) {
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        acks,
        deadline,
        retryAfter,
        reads,
        readsOf,
        dropPercent,
        other);
  }

  /** The same with some of the incoming datagrams thrown away. */
  public FrontEndConfig withDropPercent(double percent) {
    return new FrontEndConfig(
        cluster,
        servers,
        multicastPort,
        acks,
        deadline,
        retryAfter,
        reads,
        readsOf,
        percent,
        executor);
  }
}
