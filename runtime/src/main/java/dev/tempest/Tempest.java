package dev.tempest;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.node.EmbeddedNode;

/**
 * Where an application begins that keeps its state in Tempest's collections.
 *
 * <pre>{@code
 * Node node = Tempest.join();
 * Map<String, Cart> carts = node.map("carts");
 * carts.put("alice", new Cart(3));
 * }</pre>
 */
public final class Tempest {
  private Tempest() {}

  /**
   * Joins the cluster that the configuration says, or founds it: see {@link NodeConfig#load}.
   *
   * @return the node, once it has the state of the others
   * @throws dev.tempest.config.ConfigException if {@code tempest.yaml} or a variable says what
   *     cannot be
   * @throws java.io.UncheckedIOException if no port can be bound, saying why
   * @throws IllegalStateException if the state cannot be had within a minute, or the thread is
   *     interrupted
   */
  public static Node join() {
    return join(NodeConfig.load());
  }

  /** Joins as {@link #join()} does, by a configuration made in code. */
  public static Node join(NodeConfig config) {
    return new Node(EmbeddedNode.join(config));
  }
}
