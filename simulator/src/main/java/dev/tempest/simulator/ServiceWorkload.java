package dev.tempest.simulator;

import java.io.Serializable;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What clients ask of services that take time, in the simulator as on real servers (Tempest,
 * section 4.3): each sends a request to several of them at once, waits until all have answered, and
 * sends the next one when its time has come; half of the requests are updates. Immutable.
 *
 * @param services the kind of each service
 * @param perRequest how many different ones a request goes to, drawn at random
 * @param clients how many there are
 * @param everyMillis so long after a request a client sends the next one, or as soon as it is
 *     answered if that takes longer
 * @param asking whom a read asks
 */
public record ServiceWorkload(
    List<ServiceKind> services, int perRequest, int clients, int everyMillis, Asking asking)
    implements Serializable {
  /** How many different keys there are. */
  private static final int KEYS = 1_024;

  private static final int UPDATE_PERCENT = 50;

  /**
   * Whom a read asks.
   *
   * @param replicas how many of those that are fast now; 0 for {@link #discovery}
   */
  public record Asking(int replicas) implements Serializable {
    /** Checks the limits. */
    public Asking {
      if (replicas < 0) {
        throw new IllegalArgumentException("a read asks some replicas, not " + replicas);
      }
    }

    /** The k replicas that are fast now, as front-ends do. */
    public static Asking adaptive(int k) {
      if (k < 1) {
        throw new IllegalArgumentException("a read asks at least 1 replica, not " + k);
      }
      return new Asking(k);
    }

    /**
     * What the paper compares with: a client's first read of a service asks all replicas, and all
     * later ones the one that answered first.
     */
    public static Asking discovery() {
      return new Asking(0);
    }

    /** Whether it is the paper's baseline. */
    public boolean isDiscovery() {
      return replicas == 0;
    }

    /** For people. */
    @Override
    public String toString() {
      return isDiscovery() ? "discovery" : "adaptive, k=" + replicas;
    }
  }

  /**
   * A request.
   *
   * @param update or a read
   * @param services indices into those of the workload, each once, ascending
   * @param key for all of them
   */
  public record Ask(boolean update, List<Integer> services, int key) {}

  /** Checks the limits. */
  public ServiceWorkload {
    services = List.copyOf(services);
    if (perRequest < 1 || perRequest > services.size()) {
      throw new IllegalArgumentException(
          "a request goes to 1 to " + services.size() + " services, not " + perRequest);
    }
    if (clients < 1 || everyMillis < 1) {
      throw new IllegalArgumentException("need at least a client, and 1 ms between its requests");
    }
  }

  /** The requests of one client, in their order. The same seed gives the same requests. */
  public Source requests(int client, long seed) {
    return new Source(this, new Randomness(Randomness.mix(seed + client)));
  }

  /** What one client asks. Not thread-safe. */
  public static final class Source {
    private final ServiceWorkload workload;
    private final Randomness random;

    private Source(ServiceWorkload workload, Randomness random) {
      this.workload = workload;
      this.random = random;
    }

    /** Some part of the time between two requests, so that clients do not send all at once. */
    public long firstAfterNanos() {
      return random.between(0, workload.everyMillis * 1_000_000L);
    }

    /** The next one. */
    public Ask next() {
      boolean update = random.chance(UPDATE_PERCENT);
      SortedSet<Integer> chosen = new TreeSet<>();
      while (chosen.size() < workload.perRequest) {
        chosen.add(random.below(workload.services.size()));
      }
      return new Ask(update, List.copyOf(chosen), random.below(KEYS));
    }
  }
}
