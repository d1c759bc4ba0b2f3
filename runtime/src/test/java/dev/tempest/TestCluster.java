package dev.tempest;

import dev.tempest.admin.Admin;
import dev.tempest.config.CheckpointConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.service.execution.ServiceInstance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Servers with a board each, in this process, on loopback. */
final class TestCluster implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  final List<String> servers;
  final List<LocalNode> nodes = new ArrayList<>();
  final int multicastPort;
  private final Order order;
  private final Supplier<Map<String, ServiceInstance>> services;

  /** Where they have their logs; null for nowhere. */
  private final @Nullable Path folder;

  private TestCluster(
      int size,
      boolean multicast,
      Order order,
      Supplier<Map<String, ServiceInstance>> services,
      @Nullable Path folder) {
    this.servers = FreePorts.find(size).stream().map(port -> "127.0.0.1:" + port).toList();
    this.multicastPort = multicast ? ThreadLocalRandom.current().nextInt(20_000, 30_000) : 0;
    this.order = order;
    this.services = services;
    this.folder = folder;
  }

  static TestCluster of(int size, boolean multicast) throws InterruptedException {
    return of(
        size, multicast, () -> Map.of("board", ServiceInstance.of(Board.class, BoardService::new)));
  }

  /** With services other than one board; each server gets instances of its own. */
  static TestCluster of(
      int size, boolean multicast, Supplier<Map<String, ServiceInstance>> services)
      throws InterruptedException {
    return of(size, multicast, Order.EVENTUAL, services);
  }

  static TestCluster of(
      int size, boolean multicast, Order order, Supplier<Map<String, ServiceInstance>> services)
      throws InterruptedException {
    TestCluster cluster = new TestCluster(size, multicast, order, services, null);
    return cluster.started();
  }

  /** With linearizable services whose logs are stored. */
  static TestCluster storing(int size, Path folder, Supplier<Map<String, ServiceInstance>> services)
      throws InterruptedException {
    Order order = Order.LINEARIZABLE.withLog(Order.ByConsensus.Log.DISK);
    TestCluster cluster = new TestCluster(size, false, order, services, folder);
    return cluster.started();
  }

  private TestCluster started() throws InterruptedException {
    for (String server : servers) {
      nodes.add(start(server));
    }
    awaitActive();
    return this;
  }

  /** What is opened meanwhile throws so many of 100 incoming datagrams away. */
  static <T> T losing(int percent, Callable<T> open) throws Exception {
    System.setProperty("tempest.test.drop-percent", String.valueOf(percent));
    try {
      return open.call();
    } finally {
      System.clearProperty("tempest.test.drop-percent");
    }
  }

  LocalNode start(String server) {
    List<Deployment> deployed = new ArrayList<>();
    services.get().forEach((name, service) -> deployed.add(new Deployment(name, service, order)));
    return LocalNode.start(config(server), deployed);
  }

  private NodeConfig config(String server) {
    NodeConfig.Builder config =
        NodeConfig.builder()
            .listen(server)
            .members(servers.toArray(String[]::new))
            .multicastPort(multicastPort);
    if (folder != null) {
      String own = folder.resolve(server.replace(':', '-')).toString();
      config.checkpointFolder(own).log(CheckpointConfig.Log.DISK);
    }
    return config.build();
  }

  void awaitActive() throws InterruptedException {
    for (LocalNode node : nodes) {
      if (!node.awaitActive(PATIENCE)) {
        throw new AssertionError("not active: " + node.status());
      }
    }
  }

  FrontEndConfig.Builder frontEndConfig() {
    return FrontEndConfig.builder(servers).multicastPort(multicastPort).deadline(PATIENCE);
  }

  /** For tools. */
  Admin admin() {
    return Admin.connect(frontEndConfig().build());
  }

  FrontEnd frontEnd() {
    return FrontEnd.connect(frontEndConfig().build());
  }

  @Override
  public void close() {
    nodes.forEach(LocalNode::close);
  }
}
