package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.admin.Admin;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.runtime.transport.MulticastGroups;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.wire.Message.ServiceStatus;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What comes from outside, or does not come, hurts nobody. */
class RobustnessTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void garbageIsCountedAndDropped() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    try (TestCluster cluster = TestCluster.of(3, true);
        FrontEnd frontEnd = cluster.frontEnd();
        DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      LocalNode node = cluster.nodes.get(0);
      InetSocketAddress server = addressOf(cluster.servers.get(0));
      socket.setOption(
          StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByInetAddress(LOOPBACK));
      InetSocketAddress group =
          MulticastGroups.of(NameHash.of("tempest"), NameHash.of("board"), cluster.multicastPort);
      for (int i = 0; i < 500; i++) {
        byte[] bytes = new byte[random.nextInt(2_000)];
        random.nextBytes(bytes);
        socket.send(new DatagramPacket(bytes, bytes.length, i % 2 == 0 ? server : group));
      }
      for (int i = 0; i < 20; i++) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        stream(server, bytes, i % 2 == 0);
      }

      assertThat(frontEnd.service(Board.class).add("a", 1)).describedAs("seed %d", seed).isOne();
      eventually(
          "bad frames counted by " + node.counters(),
          () -> node.counters().getOrDefault("MALFORMED", 0L) > 200);
    }
  }

  @Test
  void framesOfAnotherClusterAreDropped() throws InterruptedException {
    try (TestCluster cluster = TestCluster.of(1, false);
        FrontEnd stranger =
            FrontEnd.connect(
                cluster
                    .frontEndConfig()
                    .cluster("other")
                    .retryAfter(Duration.ofMillis(10))
                    .deadline(Duration.ofMillis(200))
                    .build())) {
      Board board = stranger.service(Board.class);

      assertThat(stranger.outcome(board, b -> b.count("a"))).isInstanceOf(Outcome.Unknown.class);
      assertThat(cluster.nodes.get(0).counters()).containsKey("OTHER_CLUSTER");
    }
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK)) {
      String self = "127.0.0.1:" + taken.getLocalPort();

      assertThatThrownBy(() -> LocalNode.start(alone(self)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("port " + taken.getLocalPort())
          .hasMessageContaining("is taken");
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() {
    NodeConfig config = NodeConfig.builder().listen("10.254.254.254:7400").build();

    assertThatThrownBy(() -> LocalNode.start(config))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("10.254.254.254")
        .hasMessageContaining("is not an address of this machine");
  }

  @Test
  void withoutServersTheOutcomeIsUnknown() {
    String nobody = "127.0.0.1:" + FreePorts.find(1).get(0);
    FrontEndConfig config = FrontEndConfig.builder(nobody).deadline(Duration.ofMillis(150)).build();
    try (FrontEnd frontEnd = FrontEnd.connect(config);
        Admin admin = Admin.connect(config)) {
      Board board = frontEnd.service(Board.class);

      assertThatThrownBy(() -> board.add("a", 1))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasMessageMatching(
              "No reply in 150 ms \\(\\d+ attempts?\\) from "
                  + nobody
                  + "\\. Does it run, and is its cluster 'tempest'\\?"
                  + " Read the value before retrying\\.");
      assertThat(frontEnd.async(board, b -> b.add("a", 1)).join())
          .isInstanceOf(Outcome.Unknown.class);
      assertThat(admin.status()).isEmpty();
      assertThatThrownBy(() -> admin.describe("board"))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasMessageContaining(nobody);
    }
  }

  @Test
  void closingEndsWhatIsUnderWay() {
    String nobody = "127.0.0.1:" + FreePorts.find(1).get(0);
    FrontEnd frontEnd = FrontEnd.connect(FrontEndConfig.of(nobody));
    Board board = frontEnd.service(Board.class);
    CompletableFuture<Outcome<Long>> pending = frontEnd.async(board, b -> b.add("a", 1));
    frontEnd.close();

    assertThat(pending.join()).isEqualTo(new Outcome.Unknown<Long>("The front-end is closed"));
    assertThat(frontEnd.outcome(board, b -> b.add("a", 1))).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void anInterruptedCallerStopsWaitingAndStaysInterrupted() throws InterruptedException {
    String nobody = "127.0.0.1:" + FreePorts.find(1).get(0);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    try (FrontEnd frontEnd =
        FrontEnd.connect(FrontEndConfig.builder(nobody).deadline(Duration.ofMinutes(5)).build())) {
      Board board = frontEnd.service(Board.class);
      Thread caller =
          new Thread(() -> {
            Outcome<Long> outcome = frontEnd.outcome(board, b -> b.add("a", 1));
            interrupted.complete(
                outcome instanceof Outcome.Unknown && Thread.currentThread().isInterrupted());
          });
      caller.start();
      caller.interrupt();
      caller.join();

      assertThat(interrupted.join()).isTrue();
    }
  }

  @Test
  void callsThatAreNoSingleCallAreRefused() {
    FrontEndConfig config = FrontEndConfig.of("127.0.0.1:" + FreePorts.find(1).get(0));
    try (FrontEnd frontEnd = FrontEnd.connect(config);
        FrontEnd other = FrontEnd.connect(config)) {
      Board board = frontEnd.service(Board.class);
      Board own = new NoBoard();

      assertThatThrownBy(() -> frontEnd.async(board, b -> 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("No call was made");
      assertThatThrownBy(() -> frontEnd.async(board, b -> b.both("a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("second call");
      assertThatThrownBy(() -> other.async(board, b -> b.count("a")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> other.async(own, b -> b.count("a")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(List.of(own, other.service(Board.class), board).indexOf(board)).isEqualTo(2);
      assertThat(board).hasToString("client of Board");
    }
  }

  /** A service whose bug no replica survives: it does what the public types do not allow. */
  interface Fragile {
    /** Breaks the replica: it stops at the next request. */
    @Update
    int breakDown();
  }

  /** Leaves an action behind that nobody ends. */
  static int breakDown(State state) {
    VersionedState internal = (VersionedState) state;
    internal.action().abort();
    return internal.begin(internal.emptyVersion(), 0, 0).hashCode();
  }

  /** Asks for more than there is, and for what no Java has. */
  interface Greedy {
    @Update
    int take(int many);

    @Read
    int look(int many);
  }

  @Test
  void anErrorOfAMethodIsAnOutcome() throws InterruptedException {
    String self = "127.0.0.1:" + FreePorts.find(1).get(0);
    final class GreedyService implements Greedy {
      @Override
      public int take(int many) {
        return look(many);
      }

      @Override
      public int look(int many) {
        if (many == 0) {
          throw new InternalError("of a test");
        }
        return new int[many].length;
      }
    }
    Deployment greedy =
        new Deployment(
            "greedy",
            ServiceInstance.of(Greedy.class, state -> new GreedyService()),
            Order.EVENTUAL);
    FrontEndConfig frontEndConfig = FrontEndConfig.builder(self).multicastPort(0).build();
    try (LocalNode node = LocalNode.start(alone(self), List.of(greedy));
        FrontEnd frontEnd = FrontEnd.connect(frontEndConfig)) {
      assertThat(node.awaitActive(TestCluster.PATIENCE)).isTrue();
      Greedy service = frontEnd.service("greedy", Greedy.class);
      for (int many : List.of(Integer.MAX_VALUE, 0)) {
        assertThat(frontEnd.outcome(service, each -> each.take(many)))
            .isInstanceOf(Outcome.Threw.class);
        assertThat(frontEnd.outcome(service, each -> each.look(many)))
            .isInstanceOf(Outcome.Threw.class);
      }
      assertThat(service.take(3)).isEqualTo(3);
    }
  }

  @Test
  void aBugStopsItsReplicaAndNotTheServer() throws InterruptedException {
    String self = "127.0.0.1:" + FreePorts.find(1).get(0);
    ServiceInstance fragileService =
        ServiceInstance.of(Fragile.class, state -> () -> breakDown(state));
    List<Deployment> services =
        List.of(
            new Deployment(
                "board", ServiceInstance.of(Board.class, BoardService::new), Order.EVENTUAL),
            new Deployment("fragile", fragileService, Order.EVENTUAL));
    FrontEndConfig frontEndConfig = FrontEndConfig.builder(self).multicastPort(0).build();
    try (LocalNode node = LocalNode.start(alone(self), services);
        FrontEnd frontEnd = FrontEnd.connect(frontEndConfig)) {
      assertThat(node.awaitActive(TestCluster.PATIENCE)).isTrue();
      Fragile fragile = frontEnd.within(Duration.ofMillis(100), frontEnd.service(Fragile.class));

      assertThat(frontEnd.outcome(fragile, Fragile::breakDown)).isNotInstanceOf(Outcome.Ok.class);
      assertThat(frontEnd.outcome(fragile, Fragile::breakDown)).isInstanceOf(Outcome.Unknown.class);
      assertThat(frontEnd.service(Board.class).add("a", 1)).isOne();
      assertThat(node.status().services())
          .filteredOn(service -> !service.active())
          .extracting(ServiceStatus::name)
          .containsExactly("fragile");
    }
  }

  private static NodeConfig alone(String self) {
    return NodeConfig.builder().listen(self).members(self).multicastPort(0).build();
  }

  private static void stream(InetSocketAddress server, byte[] bytes, boolean begunWell)
      throws IOException {
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      if (begunWell) {
        out.writeInt(0x544D5053);
        out.writeShort(9);
        out.writeInt(bytes.length);
      }
      out.write(bytes);
    } catch (IOException closedByTheServer) {
      assertThat(closedByTheServer).isNotNull(); // As it should be.
    }
  }

  private static InetSocketAddress addressOf(String server) {
    return new InetSocketAddress(
        LOOPBACK, Integer.parseInt(server.substring(server.indexOf(':') + 1)));
  }

  /** Not a client. */
  private static final class NoBoard implements Board {
    @Override
    public long add(String name, long count) {
      return 0;
    }

    @Override
    public long count(String name) {
      return 0;
    }

    @Override
    public String write(String name, @Nullable String note) {
      return "";
    }

    @Override
    public String note(String name) {
      return "";
    }

    @Override
    public void fail(String name) {}

    @Override
    public int failRead() {
      return 0;
    }
  }
}
