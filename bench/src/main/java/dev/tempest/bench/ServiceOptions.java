package dev.tempest.bench;

import dev.tempest.bench.tempest.TimedServices;
import dev.tempest.simulator.ServiceWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to run an experiment with services that take time: in the simulator, each replica on a server
 * of its own, and on real servers for what this machine holds. Immutable.
 *
 * @param replicas of each service in the simulator, one number after the other
 * @param servers how many real ones, one number after the other; none to only simulate
 * @param simulated how long each point is simulated, in virtual time
 * @param measured how long each point is measured on real servers
 * @param seed from which the requests follow, and everything that is simulated
 * @param folder where results go; if null, a new one in {@code bench-results}
 */
public record ServiceOptions(
    List<Integer> replicas,
    List<Integer> servers,
    Duration simulated,
    Duration measured,
    long seed,
    @Nullable Path folder) {
  private static final int REPLICAS_MAX = 1_000;

  /** Real ones, all on this machine. */
  private static final int SERVERS_MAX = 16;

  private static final int WARM_UP_SHARE = 10;

  /** Checks the limits. */
  public ServiceOptions {
    replicas = List.copyOf(replicas);
    servers = List.copyOf(servers);
    if (replicas.isEmpty() || replicas.stream().anyMatch(n -> n < 1 || n > REPLICAS_MAX)) {
      throw new IllegalArgumentException("replicas are 1 to " + REPLICAS_MAX + ": " + replicas);
    }
    if (servers.stream().anyMatch(count -> count < 1 || count > SERVERS_MAX)) {
      throw new IllegalArgumentException("servers are 1 to " + SERVERS_MAX + ": " + servers);
    }
    if (simulated.toMillis() < 1 || measured.toMillis() < 1) {
      throw new IllegalArgumentException("need 1 ms to simulate and 1 ms to measure");
    }
    if (simulated.toDays() > 1 || measured.toDays() > 1) {
      throw new IllegalArgumentException("a point takes a day at most");
    }
  }

  /** The same with other numbers of simulated replicas. */
  public ServiceOptions withReplicas(List<Integer> counts) {
    return new ServiceOptions(counts, servers, simulated, measured, seed, folder);
  }

  /** The same with other numbers of real servers; none to only simulate. */
  public ServiceOptions withServers(List<Integer> counts) {
    return new ServiceOptions(replicas, counts, simulated, measured, seed, folder);
  }

  /** The same with other times for each point. */
  public ServiceOptions withTimes(Duration virtual, Duration real) {
    return new ServiceOptions(replicas, servers, virtual, real, seed, folder);
  }

  /** The same from another seed. */
  public ServiceOptions withSeed(long other) {
    return new ServiceOptions(replicas, servers, simulated, measured, other, folder);
  }

  /** The same with results in another folder. */
  public ServiceOptions withFolder(Path path) {
    return new ServiceOptions(replicas, servers, simulated, measured, seed, path);
  }

  /** As long as it takes for small errors: five minutes of virtual time, a minute on servers. */
  ServiceOptions full() {
    return withTimes(Duration.ofMinutes(5), Duration.ofMinutes(1));
  }

  /** A tenth more before requests count. */
  ServicePoint.SimulatedTime simulatedTime() {
    int millis = Math.toIntExact(simulated.toMillis());
    return new ServicePoint.SimulatedTime(millis / WARM_UP_SHARE, millis, seed);
  }

  /** The same on real servers. */
  TimedServices.Plan plan(ServiceWorkload workload) {
    int millis = Math.toIntExact(measured.toMillis());
    return new TimedServices.Plan(workload, millis / WARM_UP_SHARE, millis, seed);
  }
}
