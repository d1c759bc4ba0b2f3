package dev.tempest.http;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Nodes that host a {@link Shop}, whose method {@code hold} waits for a test. */
final class Shops {
  private static volatile CountDownLatch gate = new CountDownLatch(0);
  private static volatile CountDownLatch held = new CountDownLatch(1);

  private static final AtomicLong TICKETS = new AtomicLong();

  private Shops() {}

  /** Another number each time. */
  static long ticket() {
    return TICKETS.incrementAndGet();
  }

  /** Begins a cluster of its own. */
  static Node join(String cluster) {
    return join(cluster, "");
  }

  /** Joins a node of this address. */
  static Node join(String cluster, String seed) {
    NodeConfig.Builder config = config(cluster);
    if (!seed.isEmpty()) {
      config.seeds(seed);
    }
    return join(config);
  }

  static NodeConfig.Builder config(String cluster) {
    return NodeConfig.builder()
        .cluster(cluster)
        .listen("127.0.0.1:17400-17499")
        .multicastPort(0)
        .loopback(false);
  }

  static Node join(NodeConfig.Builder config) {
    Node node = Tempest.join(config.build());
    node.host("shop", Shop.class, Shop.Service::new, options());
    return node;
  }

  /** A method that waits is no good one, and is not deterministic. */
  static ServiceOptions options() {
    return ServiceOptions.builder().unchecked(Shops.class.getName()).build();
  }

  /** From now on the method waits until this is counted down. */
  static CountDownLatch hold() {
    held = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    return gate;
  }

  /** Waits until a node executes the method. */
  static void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** What the method does. */
  static void pass() {
    held.countDown();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
