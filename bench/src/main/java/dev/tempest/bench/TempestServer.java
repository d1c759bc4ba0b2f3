package dev.tempest.bench;

import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Ballots;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceTimes;
import dev.tempest.simulator.Timed;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server with the services of the benchmarks; no other file of these knows how one starts. It
 * answers how high the counter is that it is asked for.
 *
 * @param address where the servers reach each other
 * @param listen where it is, if they do not reach it there directly
 */
record TempestServer(TempestAddress address, int index, Hosting hosting, String listen)
    implements Program<String, Long> {
  static final String CART = "padded-cart";

  /** A {@link Store} by consensus. */
  static final String BY_CONSENSUS = "store-by-consensus";

  /** A {@link Store} by consensus whose leader reads alone. */
  static final String BY_LEASE = "store-by-lease";

  /** A {@link Store} by time. */
  static final String BY_TIME = "store-by-time";

  /** A {@link Store} that a primary keeps with its backup. */
  static final String BY_PRIMARY = "store-by-primary";

  /** How many updates the stores of the process have executed. */
  static final String EXECUTED = "executed";

  private static final Order LEASE =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.LEADER,
          Order.ByConsensus.Reads.LEASE,
          Order.ByConsensus.Log.MEMORY);

  private static final Order PRIMARY =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.LEADER,
          Order.ByConsensus.Reads.LINEARIZABLE,
          Order.ByConsensus.Log.MEMORY,
          Quorum.ALL);

  private static final Order.ByConsensus STATE_MACHINE_ORDER =
      new Order.ByConsensus(
          Order.ByConsensus.Executes.ALL,
          Order.ByConsensus.Reads.LINEARIZABLE,
          Order.ByConsensus.Log.MEMORY);

  private static final Duration START_MAX = Duration.ofSeconds(30);

  /** The stores of a server. */
  @FunctionalInterface
  interface Stores extends Serializable {
    /** Those of the server with this index. */
    List<Deployment> at(int server) throws IOException;
  }

  /**
   * What a server hosts.
   *
   * @param gossipMillis between two rounds of gossip
   * @param adopts whether servers that differ adopt one state, rather than merge theirs
   * @param meanServiceNanos what an execution takes on average: a service of each {@link
   *     ServiceKind}, named after it; 0 for the echo and the cart
   * @param stores in place of all that, if there are any
   * @param log where their logs are
   */
  record Hosting(
      int gossipMillis, boolean adopts, long meanServiceNanos, @Nullable Stores stores, Log log)
      implements Serializable {
    /** The echo and the cart. */
    static final Hosting USUAL = new Hosting(100, false, 0);

    /** A store by each order, and one with leases. */
    static final Hosting STORES = stores(Log.MEMORY);

    /** A store by consensus, and nothing else. */
    static final Hosting ONE_STORE = of(TempestServer::store);

    /** A store that a primary keeps with its backup. */
    static final Hosting BY_PRIMARY = of(TempestServer::storeByPrimary);

    /** A store by consensus whose updates all servers execute. */
    static final Hosting STATE_MACHINE = of(server -> stateMachine(STATE_MACHINE_ORDER));

    /** The same with fast ballots. */
    static final Hosting FAST_STATE_MACHINE =
        of(server -> stateMachine(STATE_MACHINE_ORDER.withBallots(Ballots.FAST)));

    /** As {@link #ONE_STORE}, and its changes go elsewhere, too. */
    static Hosting carried(StateCarrier carrier) {
      return of(server -> storeCarriedBy(carrier));
    }

    /** As {@link #STORES} with logs elsewhere. */
    static Hosting stores(Log log) {
      return new Hosting(100, false, 0, TempestServer::storesByOrders, log);
    }

    static Hosting of(Stores stores) {
      return new Hosting(100, false, 0, stores, Log.MEMORY);
    }

    Hosting(int gossipMillis, boolean adopts, long meanServiceNanos) {
      this(gossipMillis, adopts, meanServiceNanos, null, Log.MEMORY);
    }
  }

  /** One that is reached where it is. */
  TempestServer(TempestAddress address, int index, Hosting hosting) {
    this(address, index, hosting, address.servers().get(index));
  }

  @Override
  public Answers<String, Long> start() throws IOException, InterruptedException {
    LocalNode node = LocalNode.start(config(), deployments());
    if (!node.awaitActive(START_MAX)) {
      throw new IOException("no state within " + START_MAX);
    }
    return counter ->
        counter.equals(EXECUTED)
            ? Store.Service.executed()
            : node.counters().getOrDefault(counter, 0L);
  }

  private NodeConfig config() throws IOException {
    boolean isStored = hosting.log != Log.MEMORY;
    String folder = isStored ? Files.createTempDirectory("tempest-bench").toString() : "";
    return NodeConfig.builder()
        .checkpointFolder(folder)
        .log(hosting.log)
        .cluster(TempestAddress.CLUSTER)
        .listen(listen)
        .advertise(address.servers().get(index))
        .members(address.servers().toArray(String[]::new))
        .multicastPort(address.multicastPort())
        .build();
  }

  private List<Deployment> deployments() throws IOException {
    Order order =
        Order.EVENTUAL
            .withGossipMillis(hosting.gossipMillis, hosting.gossipMillis)
            .withAdopts(hosting.adopts);
    if (hosting.stores != null) {
      return hosting.stores.at(index);
    }
    return services().entrySet().stream()
        .map(service -> new Deployment(service.getKey(), service.getValue(), order))
        .toList();
  }

  private static List<Deployment> storesByOrders(int server) {
    return List.of(
        new Deployment(BY_CONSENSUS, instance(server), Order.LINEARIZABLE),
        new Deployment(BY_LEASE, instance(server), LEASE),
        new Deployment(BY_TIME, instance(server), Order.EVENTUAL));
  }

  private static List<Deployment> store(int server) {
    return List.of(new Deployment(BY_CONSENSUS, instance(server), Order.LINEARIZABLE));
  }

  /** It comes to the same at all servers. */
  private static List<Deployment> stateMachine(Order order) {
    return List.of(new Deployment(BY_CONSENSUS, instance(0), order));
  }

  private static List<Deployment> storeByPrimary(int server) {
    return List.of(new Deployment(BY_PRIMARY, instance(server), PRIMARY));
  }

  private static List<Deployment> storeCarriedBy(StateCarrier carrier) throws IOException {
    StateCarrier.Opened opened = carrier.open();
    ServiceInstance store =
        ServiceInstance.of(Store.class, state -> new Store.Service(state, 0, opened));
    return List.of(new Deployment(BY_CONSENSUS, store, Order.LINEARIZABLE));
  }

  private static ServiceInstance instance(int server) {
    return ServiceInstance.of(Store.class, state -> new Store.Service(state, server));
  }

  private Map<String, ServiceInstance> services() {
    if (hosting.meanServiceNanos == 0) {
      return Map.of(
          "echo",
          ServiceInstance.of(Echo.class, state -> new Echo.Service()),
          CART,
          ServiceInstance.of(PaddedCart.class, PaddedCart.Service::new));
    }
    Map<String, ServiceInstance> services = new LinkedHashMap<>();
    for (ServiceKind kind : ServiceKind.values()) {
      long seed = 31L * index + services.size();
      ServiceTimes times = new ServiceTimes(kind, hosting.meanServiceNanos, seed);
      services.put(
          kind.name(),
          ServiceInstance.of(Timed.class, state -> new Timed.Service(state, () -> spend(times))));
    }
    return services;
  }

  private static void spend(ServiceTimes times) {
    ServiceTimes.Time time = times.next();
    BusyLoops.spinUntil(System.nanoTime() + time.computingNanos());
    TimedClient.sleepUntil(System.nanoTime() + time.waitingNanos());
  }
}
