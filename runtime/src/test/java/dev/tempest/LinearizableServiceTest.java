package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.runtime.Eventually;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.ReplicaRole;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three servers in this process, over loopback, that agree on each update before it is answered.
 */
class LinearizableServiceTest {
  private static final int ADDS = 100;

  /** Adds up. */
  public interface Sum {
    /** Adds, and returns the sum. */
    @Update
    long add(long amount);

    /** The sum. */
    @Read
    long get();

    /** What one execution drew, and nobody can foretell. */
    @Update
    long draw();

    /** The latest of those. */
    @Read
    long drawn();

    /** Draws from the action, and says so by an exception: none of it is kept. */
    @Update
    void fail();
  }

  /** Takes random numbers from its process: the leader alone executes. */
  public static final class SumService implements Sum {
    private final LongSupplier random;
    private final Map<String, Long> numbers;

    /** Keeps two numbers. */
    public SumService(State state) {
      this(state, new Random()::nextLong);
    }

    SumService(State state, LongSupplier random) {
      this.random = random;
      numbers = state.map("numbers", String.class, Long.class);
    }

    @Override
    public long add(long amount) {
      return numbers.merge("sum", amount, Long::sum);
    }

    @Override
    public long get() {
      return numbers.getOrDefault("sum", 0L);
    }

    @Override
    public long draw() {
      long number = random.getAsLong();
      numbers.put("drawn", number);
      return number;
    }

    @Override
    public long drawn() {
      return numbers.getOrDefault("drawn", 0L);
    }

    @Override
    public void fail() {
      throw new IllegalStateException("drew " + draw());
    }
  }

  private static TestCluster start(Executes executes, Function<State, SumService> service)
      throws InterruptedException {
    return TestCluster.of(
        3,
        false,
        new Order.ByConsensus(
            executes, Order.ByConsensus.Reads.LINEARIZABLE, Order.ByConsensus.Log.MEMORY),
        () -> Map.of("sum", ServiceInstance.of(Sum.class, service)));
  }

  private static SumService deterministic(State state) {
    return new SumService(state, () -> state.action().random().nextLong());
  }

  @ParameterizedTest
  @EnumSource(Executes.class)
  void whatWasAnsweredIsReadEverywhereAtOnceAndOutlivesEachServerInTurn(Executes executes)
      throws Exception {
    try (TestCluster cluster = start(executes, LinearizableServiceTest::deterministic);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Sum sum = frontEnd.service("sum", Sum.class);
      long expected = 0;
      for (int server = 0; server < cluster.nodes.size(); server++) {
        for (int i = 0; i < ADDS; i++) {
          assertThat(sum.add(1)).isEqualTo(++expected);
          assertThat(sum.get()).isEqualTo(expected);
        }
        cluster.nodes.get(server).close();
        assertThat(sum.add(1)).isEqualTo(++expected);
        LocalNode again = cluster.start(cluster.servers.get(server));
        cluster.nodes.set(server, again);
        assertThat(again.awaitActive(TestCluster.PATIENCE)).isTrue();
        assertThat(again.joined())
            .filteredOn(joined -> joined.service().equals("sum"))
            .singleElement()
            .satisfies(joined -> assertThat(joined.from()).isIn(cluster.servers));
        assertThat(sum.get()).isEqualTo(expected);
      }
      for (String server : cluster.servers) {
        try (FrontEnd only = only(server)) {
          assertThat(only.service("sum", Sum.class).get()).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void theLeaderAloneExecutes() throws Exception {
    try (TestCluster cluster = start(Executes.LEADER, SumService::new);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Sum sum = frontEnd.service("sum", Sum.class);
      for (int i = 0; i < ADDS; i++) {
        assertThat(sum.drawn()).isEqualTo(i == 0 ? 0 : sum.drawn());
        long drawn = sum.draw();
        assertThat(sum.drawn()).isEqualTo(drawn);
      }
      Eventually.eventually(
          "all have the same",
          () -> cluster.nodes.stream().map(LinearizableServiceTest::hash).distinct().count() == 1);
    }
  }

  @Test
  void theStatusSaysWhoLeads() throws Exception {
    try (TestCluster cluster = start(Executes.LEADER, SumService::new)) {
      LocalNode first = leader(cluster);
      first.close();
      cluster.nodes.remove(first);
      assertThat(leader(cluster)).isNotSameAs(first);
    }
  }

  private static LocalNode leader(TestCluster cluster) {
    List<LocalNode> leaders = new ArrayList<>();
    Eventually.eventually(
        "one leads",
        () -> {
          leaders.clear();
          cluster.nodes.stream()
              .filter(node -> service(node).role() == ReplicaRole.LEADER)
              .forEach(leaders::add);
          return leaders.size() == 1;
        });
    return leaders.getFirst();
  }

  @Test
  void allExecuteAndComeToTheSameWhateverAMethodThrows() throws Exception {
    AtomicInteger executions = new AtomicInteger();
    Function<State, SumService> counted =
        state ->
            new SumService(
                state,
                () -> {
                  executions.incrementAndGet();
                  return state.action().random().nextLong();
                });
    try (TestCluster cluster = start(Executes.ALL, counted);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Sum sum = frontEnd.service("sum", Sum.class);
      for (int i = 0; i < ADDS; i++) {
        long drawn = sum.draw();
        assertThat(sum.drawn()).isEqualTo(drawn);
        assertThatThrownBy(sum::fail).hasMessageContaining("drew ");
        assertThat(sum.drawn()).isEqualTo(drawn);
      }
      Eventually.eventually("each has executed each", () -> executions.get() >= 3 * 2 * ADDS);
      assertThat(cluster.nodes).allMatch(node -> service(node).diverged() == 0);
    }
  }

  @Test
  void whoComesToSomethingElseIsNamedAndTakesTheStateOfTheLeader() throws Exception {
    try (Logged logged = new Logged();
        TestCluster cluster = start(Executes.ALL, SumService::new);
        FrontEnd frontEnd = cluster.frontEnd()) {
      Set<List<String>> told = ConcurrentHashMap.newKeySet();
      cluster.nodes.forEach(
          node -> node.onDiverged((service, collections) -> told.add(collections)));
      Sum sum = frontEnd.service("sum", Sum.class);
      sum.draw();
      Eventually.eventually(
          "the others say so, and answer again",
          () ->
              logged.says(".draw() of service sum wrote or answered something else here than at ")
                  && cluster.nodes.stream().mapToLong(node -> service(node).diverged()).sum() > 1
                  && cluster.nodes.stream().allMatch(node -> service(node).active()));
      assertThat(told).containsExactly(List.of());
      Set<Long> drawn = new HashSet<>();
      for (String server : cluster.servers) {
        try (FrontEnd only = only(server)) {
          drawn.add(only.service("sum", Sum.class).drawn());
        }
      }
      assertThat(drawn).hasSize(1);
    }
  }

  private static FrontEnd only(String server) {
    return FrontEnd.connect(
        FrontEndConfig.builder(server).multicastPort(0).deadline(TestCluster.PATIENCE).build());
  }

  private static ServiceStatus service(LocalNode node) {
    try {
      return node.status().services().stream()
          .filter(service -> service.name().equals("sum"))
          .findFirst()
          .orElseThrow();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static long hash(LocalNode node) {
    return service(node).hash();
  }

  @Test
  void aMajorityIsOneOfANumberThatIsKnown() {
    String address = "127.0.0.1:" + FreePorts.find(1).getFirst();
    NodeConfig config = NodeConfig.builder().listen(address).multicastPort(0).build();
    ServiceOptions options = ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    try (Node node = Tempest.join(config)) {
      assertThatThrownBy(() -> node.host("sum", Sum.class, SumService::new, options))
          .hasMessageContaining("service 'sum' is linearizable")
          .hasMessageContaining("members");
    }
  }

  /** It would vote again under the same id. */
  @Test
  void aProcessThatHasForgottenWhatItPromisedHostsItNoMore() {
    List<Integer> ports = FreePorts.find(2);
    String address = "127.0.0.1:" + ports.getFirst();
    String absent = "127.0.0.1:" + ports.getLast(); // So that it waits, and can be interrupted.
    NodeConfig config =
        NodeConfig.builder().listen(address).members(address, absent).multicastPort(0).build();
    ServiceOptions options = ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    try (Node node = Tempest.join(config)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> node.host("sum", Sum.class, SumService::new, options))
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThatThrownBy(() -> node.host("sum", Sum.class, SumService::new, options))
          .hasMessageContaining("forgotten what it promised")
          .hasMessageContaining("start it again");
    }
  }
}
