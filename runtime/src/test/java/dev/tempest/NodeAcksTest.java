package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Update;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that wait until other nodes have them. */
@Timeout(60)
final class NodeAcksTest {
  /** A service that writes into a collection of its node. */
  public interface Copier {
    /** Writes. */
    @Update
    void copy(String key, int value);
  }

  private static final Duration SOON = Duration.ofMillis(300);
  @AutoClose private final JoinedNodes nodes = new JoinedNodes();
  private final NodeConfig patient =
      nodes.config().toBuilder().deadline(Duration.ofMinutes(5)).build();
  private final NodeConfig impatient = patient.toBuilder().deadline(SOON).build();

  @Test
  void aBatchReturnsOnceAsManyNodesHaveIt() {
    Node one = nodes.join(patient);
    nodes.join(patient);
    nodes.join(patient);
    Map<String, Integer> map = one.map("m");
    for (int i = 0; i < 1_000; i++) {
      int value = i;
      assertThat(one.batch(3, () -> map.put("a", value))).isEqualTo(i == 0 ? null : i - 1);
    }
    String large = "x".repeat(1 << 20);
    Map<String, String> texts = one.map("texts");
    one.batch(3, () -> texts.put("large", large));
  }

  @Test
  void aWriteThatTooFewNodesHaveStandsAndSaysHowManyHaveIt() {
    Node one = nodes.join(impatient);
    Map<String, Integer> ours = one.map("m");
    Map<String, Integer> theirs = nodes.join(impatient).map("m");

    assertThatExceptionOfType(MissingAcksException.class)
        .isThrownBy(() -> one.batch(3, () -> ours.put("a", 1)))
        .withMessage(
            "After 300 ms, 2 of 3 nodes were known to have the write. It is not undone: it stays"
                + " here and is still sent to the others")
        .extracting(MissingAcksException::acks)
        .isEqualTo(2);
    assertThat(ours).containsEntry("a", 1);
    assertThat(theirs).containsEntry("a", 1);
  }

  @Test
  void theConfigurationOfNodeAndCollectionSaysHowMany() {
    Node node =
        nodes.join(
            impatient.toBuilder()
                .acks(2)
                .collection("clicks", CollectionConfig.builder().acks(1).build())
                .build());
    Map<String, Integer> carts = node.map("carts");
    Map<String, Integer> clicks = node.map("clicks");

    clicks.put("a", 1);
    node.batch(1, () -> carts.put("a", 1));
    node.batch(() -> carts.get("a"));
    assertThatExceptionOfType(MissingAcksException.class).isThrownBy(() -> carts.put("a", 2));
    assertThatExceptionOfType(MissingAcksException.class)
        .isThrownBy(() ->
            node.batch(() -> {
              clicks.put("a", 2);
              carts.put("a", 3);
            }));
    assertThat(clicks).containsEntry("a", 2);
    assertThat(carts).containsEntry("a", 3);
    assertThatIllegalArgumentException().isThrownBy(() -> node.batch(0, () -> clicks.put("a", 3)));
  }

  @Test
  void othersWriteWhileOneWaitsForANodeThatJoins() {
    Node one = nodes.join(patient);
    Map<String, Integer> map = one.map("m");
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> one.batch(2, () -> map.put("a", 1)));
    while (!map.containsKey("a")) {
      Thread.onSpinWait();
    }
    map.put("b", 1);
    assertThat(waiting).isNotDone();

    Map<String, Integer> theirs = nodes.join(patient).map("m");
    waiting.join();
    assertThat(theirs).containsEntry("a", 1);
  }

  @Test
  void aWaitEndsWhenTheNodeIsClosedOrTheThreadInterrupted() throws InterruptedException {
    Node node = nodes.join(patient);
    Map<String, Integer> map = node.map("m");
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread thread =
        new Thread(() -> {
          try {
            node.batch(2, () -> map.put("a", 1));
          } catch (MissingAcksException missing) {
            if (Thread.interrupted()) {
              interrupted.countDown();
            }
          }
        });
    thread.start();
    thread.interrupt();
    interrupted.await();

    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> node.batch(2, () -> map.put("b", 1)));
    while (!map.containsKey("b")) {
      Thread.onSpinWait();
    }
    node.close();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(waiting::join)
        .withCauseInstanceOf(MissingAcksException.class)
        .withMessageContaining("When this node was closed, 1 of 2 nodes");
  }

  /** It would wait for its own thread. */
  @Test
  void aServiceMethodIsRefusedToWait() {
    int port = FreePorts.find(1).getFirst();
    Node node = nodes.join(patient.toBuilder().listen("127.0.0.1:" + port).build());
    Map<String, Integer> map = node.map("m");
    node.host(
        "copier", Copier.class, state -> (key, value) -> node.batch(2, () -> map.put(key, value)));
    try (FrontEnd frontEnd =
        FrontEnd.connect(
            FrontEndConfig.builder(List.of("127.0.0.1:" + port))
                .cluster(patient.cluster())
                .multicastPort(0)
                .build())) {
      assertThatExceptionOfType(ServiceException.class)
          .isThrownBy(() -> frontEnd.service(Copier.class).copy("a", 1))
          .withMessageContaining("must not wait until other nodes have its write");
    }
    assertThat(map).isEmpty();
  }
}
