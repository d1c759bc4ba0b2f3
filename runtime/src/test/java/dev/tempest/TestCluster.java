package dev.tempest;

import dev.tempest.admin.Admin;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServerNode;
import dev.tempest.service.ServiceInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Servers with a board each, in this process, on loopback. */
final class TestCluster implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  final List<String> servers;
  final List<ServerNode> nodes = new ArrayList<>();
  final int multicastPort;
  private final UnaryOperator<ServerConfig> configure;
  private final Supplier<Map<String, ServiceInstance>> services;

  private TestCluster(
      int size,
      boolean multicast,
      UnaryOperator<ServerConfig> configure,
      Supplier<Map<String, ServiceInstance>> services) {
    this.servers = FreePorts.find(size).stream().map(port -> "127.0.0.1:" + port).toList();
    this.multicastPort = multicast ? ThreadLocalRandom.current().nextInt(20_000, 30_000) : 0;
    this.configure = configure;
    this.services = services;
  }

  static TestCluster of(int size, boolean multicast) throws InterruptedException {
    return of(size, multicast, config -> config);
  }

  static TestCluster of(int size, boolean multicast, UnaryOperator<ServerConfig> configure)
      throws InterruptedException {
    return of(
        size,
        multicast,
        configure,
        () -> Map.of("board", ServiceInstance.of(Board.class, BoardService::new)));
  }

  /** With services other than one board; each server gets instances of its own. */
  static TestCluster of(
      int size,
      boolean multicast,
      UnaryOperator<ServerConfig> configure,
      Supplier<Map<String, ServiceInstance>> services)
      throws InterruptedException {
    TestCluster cluster = new TestCluster(size, multicast, configure, services);
    for (String server : cluster.servers) {
      cluster.nodes.add(cluster.start(server));
    }
    cluster.awaitActive();
    return cluster;
  }

  ServerNode start(String server) {
    ServerConfig config =
        ServerConfig.of(server, servers)
            .withMulticastPort(multicastPort)
            .withGossipInterval(Duration.ofMillis(20));
    return ServerNode.start(configure.apply(config), services.get());
  }

  void awaitActive() throws InterruptedException {
    for (ServerNode node : nodes) {
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
    nodes.forEach(ServerNode::close);
  }
}
