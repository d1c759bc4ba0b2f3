package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications that host services beside their collections. */
class NodeHostsServiceTest {
  private static final int CALLS = 100;

  private final List<Integer> ports = FreePorts.find(2);
  private final List<Node> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(Node::close);
  }

  @Test
  void callsGoOnAndNothingIsLostWhenAHostLeaves() {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    long added;
    try (FrontEnd frontEnd = frontEnd(ports)) {
      Board board = frontEnd.service(Board.class);
      added = add(board, CALLS);
      Node second = join(1);
      second.host("board", Board.class, BoardService::new);
      added += add(board, CALLS);

      CompletableFuture<Void> leaving = CompletableFuture.runAsync(first::close);
      while (!leaving.isDone()) {
        added += add(board, 1);
      }
      leaving.join();
      added += add(board, 1);
    }
    try (FrontEnd frontEnd = frontEnd(ports.subList(1, 2))) {
      assertThat(frontEnd.service(Board.class).count("a")).isEqualTo(added);
    }
  }

  @Test
  void aNodeHandsOverThoughTheThreadThatClosesItIsInterrupted() throws Exception {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    Node second = TestCluster.losing(30, () -> join(1));
    second.host("board", Board.class, BoardService::new);
    long added = add(first.frontEnd().service(Board.class), CALLS);

    Thread.currentThread().interrupt();
    first.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(second.frontEnd().service(Board.class).count("a")).isEqualTo(added);
  }

  /** Its own front-end asks a node that is overloaded for nothing that this does not know. */
  @Test
  void aNodeThatRefusesItsOwnCallsGoesOn() {
    Node node = join(0);
    node.host("slow", Slow.class, state -> new SlowService());
    FrontEnd frontEnd = node.frontEnd();
    Slow slow = frontEnd.service(Slow.class);
    List<CompletableFuture<Outcome<Void>>> calls = new ArrayList<>();
    eventually(
        "one is refused",
        () -> {
          calls.add(frontEnd.async(slow, NodeHostsServiceTest::work));
          LockSupport.parkNanos(SlowService.TAKES.toNanos() / 4);
          return calls.stream().anyMatch(NodeHostsServiceTest::isUnable);
        });
    calls.forEach(CompletableFuture::join); // No more wait for their turn.
    node.host("board", Board.class, BoardService::new);
    assertThat(add(frontEnd.service(Board.class), 1)).isEqualTo(1);
  }

  private static Void work(Slow slow) {
    slow.work();
    return null;
  }

  private static boolean isUnable(CompletableFuture<Outcome<Void>> call) {
    return call.getNow(new Outcome.Ok<>(null)) instanceof Outcome.Unable;
  }

  /** A service with a slow method. */
  public interface Slow {
    /** Takes longer than an update may wait for its turn. */
    @Update
    void work();
  }

  private static final class SlowService implements Slow {
    static final Duration TAKES = Duration.ofMillis(600);

    @Override
    public void work() {
      LockSupport.parkNanos(TAKES.toNanos());
    }
  }

  @Test
  void aNodeKeepsCollectionsBesideItsService() {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    Map<String, Integer> prices = first.map("prices");
    prices.put("pin", 3);
    Node second = join(1);
    Map<String, Integer> pricesThere = second.map("prices");

    assertThat(pricesThere).isEqualTo(prices);
  }

  @Test
  void aNameStandsForOneService() {
    Node node = join(0);
    node.host("board", Board.class, BoardService::new);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.host("board", Board.class, BoardService::new))
        .withMessageContaining("board");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.host("collections", Board.class, BoardService::new))
        .withMessageContaining("another name");
  }

  @Test
  void callsReachWhoHostsTheServiceAmongNodesThatHostOthers() {
    join(0).host("board", Board.class, BoardService::new);
    join(1).host("other", Board.class, BoardService::new);

    try (FrontEnd frontEnd = frontEnd(ports)) {
      for (String name : List.of("board", "other")) {
        Board board = frontEnd.service(name, Board.class);
        for (long calls = 1; calls <= CALLS; calls++) {
          assertThat(board.add("a", 1)).isEqualTo(calls);
          assertThat(board.count("a")).isEqualTo(calls);
        }
      }
      Board nobody = frontEnd.service("nobody", Board.class);
      assertThatThrownBy(() -> nobody.add("a", 1)).hasMessageContainingAll("board", "other");
      assertThatThrownBy(() -> nobody.count("a")).hasMessageContainingAll("board", "other");
    }
  }

  @Test
  void frontEndsReachItByMulticast() {
    int multicastPort = ThreadLocalRandom.current().nextInt(20_000, 30_000);
    Node node = join(0, multicastPort);
    node.host("board", Board.class, BoardService::new);

    try (FrontEnd frontEnd = frontEnd(ports.subList(0, 1), multicastPort)) {
      assertThat(add(frontEnd.service(Board.class), CALLS)).isEqualTo(CALLS);
    }
  }

  @Test
  void anApplicationCallsItWithoutTheNetworkAndTheOthersHaveItToo() throws InterruptedException {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    Node second = join(1);
    second.host("board", Board.class, BoardService::new);
    FrontEnd here = first.frontEnd();
    Board board = here.service(Board.class);

    assertThat(add(board, CALLS)).isEqualTo(CALLS);
    assertThat(board.count("a")).isEqualTo(CALLS);
    assertThatThrownBy(() -> board.fail("a")).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> here.service("nobody", Board.class).count("a"))
        .isInstanceOf(UnableException.class)
        .hasMessageContaining("board");
    Board there = second.frontEnd().service(Board.class);
    eventually("all updates there", () -> there.count("a") == CALLS);

    first.close();
    assertThat(here.outcome(board, b -> b.count("a"))).isInstanceOf(Outcome.Unknown.class);
    assertThat(there.count("a")).isEqualTo(CALLS);
  }

  /** The board of a later version, which some nodes host already. */
  public interface LaterBoard {
    /** As ever. */
    @Update
    long add(String name, long count);

    /** As ever. */
    @Read
    long count(String name);

    /** Is new. */
    @Update
    void clear(String name);
  }

  private static final class LaterBoardService implements LaterBoard {
    private final Map<String, Long> counts;

    LaterBoardService(State state) {
      counts = state.map("counts", String.class, Long.class);
    }

    @Override
    public long add(String name, long count) {
      return counts.merge(name, count, Long::sum);
    }

    @Override
    public long count(String name) {
      return counts.getOrDefault(name, 0L);
    }

    @Override
    public void clear(String name) {
      counts.remove(name);
    }
  }

  @Test
  void whatItRefusesNoOtherNodeExecutes() {
    Node first = join(0);
    first.host("board", Board.class, BoardService::new);
    Node second = join(1);
    second.host("board", LaterBoard.class, LaterBoardService::new);
    FrontEnd here = first.frontEnd();
    LaterBoard board = here.service("board", LaterBoard.class);
    LaterBoard there = second.frontEnd().service("board", LaterBoard.class);
    board.add("a", 1);
    eventually("the first update there", () -> there.count("a") == 1);

    assertThatThrownBy(() -> board.clear("a")).isInstanceOf(UnableException.class);
    board.add("b", 1);
    eventually("what was asked later there", () -> there.count("b") == 1);
    assertThat(there.count("a")).isOne();
  }

  /** Adds by way of another service of its node. */
  public interface Forwarder {
    /** Adds to a board. */
    @Update
    long forward(String name);
  }

  @Test
  void aServiceMethodIsRefusedToWaitForItsOwnNode() {
    Node node = join(0);
    node.host("board", Board.class, BoardService::new);
    FrontEnd here = node.frontEnd();
    Board board = here.service(Board.class);
    node.host("forwarder", Forwarder.class, state -> name -> board.add(name, 1));

    assertThatThrownBy(() -> here.service(Forwarder.class).forward("a"))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("must not wait for one");
    assertThat(board.count("a")).isZero();
  }

  /** One node executes, and the one that is asked answers when it has what was written. */
  @Test
  void anApplicationCallsAServiceThatAnyNodeExecutes() {
    ServiceOptions any = ServiceOptions.builder().execute(Execute.ANY).build();
    Node first = join(0);
    first.host("board", Board.class, BoardService::new, any);
    Node second = join(1);
    second.host("board", Board.class, BoardService::new, any);

    Board board = second.frontEnd().service(Board.class);
    assertThat(add(board, CALLS)).isEqualTo(CALLS);
    assertThat(board.count("a")).isEqualTo(CALLS);
  }

  /** Waits. */
  public interface Waiting {
    /** For so many milliseconds. */
    @Update
    void await(long millis) throws InterruptedException;
  }

  /** At the latest the second time: the first may be the loading of classes. */
  @Test
  void aMethodThatHoldsTheOthersUpIsNamedInTheLog() throws InterruptedException {
    Node node = join(0);
    node.host("waiting", Waiting.class, state -> Thread::sleep);
    Waiting waiting = node.frontEnd().service(Waiting.class);

    try (Logged logged = new Logged()) {
      for (int call = 0; call < 3; call++) {
        waiting.await(60);
      }
      eventually("the log", () -> logged.says("In waiting, method await took "));
    }
  }

  /** Gives something else at every node. */
  private static final class ClockedService implements Clocked {
    @Override
    public long tick() {
      return System.nanoTime();
    }
  }

  /** What a service is asked. */
  interface Clocked {
    @Update
    long tick();
  }

  @Test
  void aServiceThatIsNotDeterministicIsHostedWhereOneNodeExecutes() {
    Node node = join(0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.host("clocked", Clocked.class, state -> new ClockedService()))
        .withMessageContaining("calls System.nanoTime: take the request's time");
    node.host(
        "clocked",
        Clocked.class,
        state -> new ClockedService(),
        ServiceOptions.builder().execute(Execute.ANY).build());
    try (FrontEnd frontEnd = frontEnd(ports.subList(0, 1))) {
      Clocked clocked = frontEnd.service(Clocked.class);
      assertThat(clocked.tick()).isLessThan(clocked.tick());
    }
  }

  @Test
  void aNameIsFreeAgainWhenHostingFails() {
    Node node = join(0);
    CompletableFuture<Long> entered = new CompletableFuture<>();
    CompletableFuture<Long> gate = new CompletableFuture<>();
    node.host(
        "slow",
        Clocked.class,
        state ->
            () -> {
              entered.complete(1L);
              return gate.join();
            });
    FrontEnd here = node.frontEnd();
    CompletableFuture<Outcome<Long>> slow =
        here.async(here.service("slow", Clocked.class), Clocked::tick);
    entered.join(); // Meanwhile the node does nothing else.
    Thread.currentThread().interrupt();
    assertThatIllegalStateException()
        .isThrownBy(() -> node.host("board", Board.class, BoardService::new))
        .withMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    gate.complete(1L);
    assertThat(slow.join()).isEqualTo(new Outcome.Ok<>(1L));

    node.host("board", Board.class, BoardService::new);
    try (FrontEnd frontEnd = frontEnd(ports.subList(0, 1))) {
      assertThat(frontEnd.service(Board.class).add("a", 1)).isOne();
    }
  }

  @Test
  void aClosedNodeHostsNothing() {
    Node node = join(0);
    node.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> node.host("board", Board.class, BoardService::new));
  }

  private static long add(Board board, int times) {
    for (int i = 0; i < times; i++) {
      board.add("a", 1);
    }
    return times;
  }

  private Node join(int index) {
    return join(index, 0);
  }

  private Node join(int index, int multicastPort) {
    Node node =
        Tempest.join(
            NodeConfig.builder()
                .listen("127.0.0.1:" + ports.get(index))
                .cluster("hosts-" + ports.getFirst())
                .multicastPort(multicastPort)
                .loopback(false)
                .seeds(ports.stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new))
                .build());
    nodes.add(node);
    // If it had no time to find out who is there it has founded a cluster, which becomes one later.
    eventually("all are of one cluster", () -> node.members().size() == nodes.size());
    return node;
  }

  private FrontEnd frontEnd(List<Integer> asked) {
    return frontEnd(asked, 0);
  }

  private FrontEnd frontEnd(List<Integer> asked, int multicastPort) {
    List<String> servers = asked.stream().map(port -> "127.0.0.1:" + port).toList();
    return FrontEnd.connect(
        FrontEndConfig.builder(servers)
            .cluster("hosts-" + ports.getFirst())
            .multicastPort(multicastPort)
            .deadline(TestCluster.PATIENCE)
            .build());
  }
}
