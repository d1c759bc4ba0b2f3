package dev.tempest.runtime.node;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.Board;
import dev.tempest.BoardService;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.frontend.Client;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.service.execution.ServiceInstance;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How nodes begin. */
@Timeout(60)
class LocalNodeTest {
  private final NodeConfig config =
      NodeConfig.builder()
          .cluster("begins")
          .listen("127.0.0.1:" + FreePorts.find(1).getFirst())
          .multicastPort(0)
          .loopback(false)
          .build();

  @Test
  void oneThatCannotStartLeavesItsPort() {
    Deployment board =
        Deployment.of("board", Board.class, BoardService::new, ServiceOptions.defaults());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalNode.start(config, Collections.nCopies(2, board)))
        .withMessageContaining("already hosts a service 'board'");
    try (LocalNode node = LocalNode.start(config, List.of(board))) {
      assertThat(node.address()).endsWith(":" + config.listen().ports().first());
    }
  }

  @Test
  void oneThatGetsNoStateSaysWhy() {
    NodeConfig lonely = withoutState();
    assertThatIllegalStateException()
        .isThrownBy(() -> LocalNode.join(lonely, Duration.ofSeconds(5)))
        .withMessageStartingWith("nothing came for 5 s of the state that the node lacks")
        .withMessageContaining("1 of the 2 members that are to found its group are here")
        .withMessageContaining("Not here: " + lonely.members().getLast() + ". Start ");
  }

  /** The other one of two that are to found a group never comes. */
  private NodeConfig withoutState() {
    String address = "127.0.0.1:" + config.listen().ports().first();
    String absent = "127.0.0.1:" + FreePorts.find(1).getFirst();
    ServiceOptions agreed = ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    ServiceConfig board =
        ServiceConfig.builder("board", BoardService.class.getName()).options(agreed).build();
    return config.toBuilder().members(address, absent).service(board).build();
  }

  @Test
  void oneIsAwaitedAsLongAsItsStateComesOn() throws InterruptedException {
    Duration patience = Duration.ofSeconds(2);
    long allNanos = patience.multipliedBy(3).dividedBy(2).toNanos();
    try (LocalNode node = LocalNode.start(withoutState())) {
      Arrival arrival = node.host.arrival();
      long startNanos = System.nanoTime();
      Thread giver =
          Thread.ofPlatform()
              .start(() -> {
                while (System.nanoTime() - startNanos < allNanos) {
                  arrival.cameOn();
                  LockSupport.parkNanos(1_000_000);
                }
                arrival.active().complete(true);
              });
      assertThat(node.awaitActive(patience)).isTrue();
      giver.join();
    }
  }

  @Test
  void forgetsClientsThatAreClosed() {
    try (LocalNode node = LocalNode.start(config, List.of())) {
      WeakReference<Client> closed = closedClient(node);
      Client another = node.client();
      eventually(
          "forgotten",
          () -> {
            System.gc();
            return closed.refersTo(null);
          });
      another.close();
    }
  }

  @Test
  void opensNoClientOnceItIsClosed() {
    LocalNode node = LocalNode.start(config, List.of());
    node.close();
    assertThatIllegalStateException()
        .isThrownBy(node::client)
        .withMessage("the node is closed: open front-ends before");
  }

  private static WeakReference<Client> closedClient(LocalNode node) {
    Client client = node.client();
    client.close();
    return new WeakReference<>(client);
  }

  @Test
  void hostsNoMoreServicesThanOthersTake() {
    ServiceInstance board = ServiceInstance.of(Board.class, BoardService::new);
    List<Deployment> boards =
        IntStream.range(0, Members.SERVICES_MAX)
            .mapToObj(number -> new Deployment("board-" + number, board, Order.EVENTUAL))
            .toList();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LocalNode.start(config, boards))
        .withMessageContaining("no more fit");
  }
}
