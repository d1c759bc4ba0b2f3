package dev.tempest;

import dev.tempest.config.NodeConfig;
import java.util.ArrayList;
import java.util.List;

/** Nodes of a cluster that no other test joins; closed with it. */
final class JoinedNodes implements AutoCloseable {
  private static int clusters;

  private final NodeConfig config =
      NodeConfig.builder()
          .cluster("test-" + ProcessHandle.current().pid() + "-" + clusters++)
          .listen("127.0.0.1")
          .build();
  private final List<Node> nodes = new ArrayList<>();

  /** Of the cluster: listens on this machine only. */
  NodeConfig config() {
    return config;
  }

  Node join() {
    return join(config);
  }

  /** Joins with a variant of {@link #config}. */
  Node join(NodeConfig variant) {
    Node node = Tempest.join(variant);
    nodes.add(node);
    return node;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}
