package dev.tempest;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.node.LocalNode;

/**
 * The entry point of applications that keep their state in Tempest's collections.
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
   * Joins the cluster named in the configuration, or founds it: see {@link NodeConfig#load}. The
   * node hosts the services that are configured.
   *
   * @return the node, once it has copied the state of the other members
   * @throws dev.tempest.config.ConfigException if {@code tempest.yaml} or a variable is not valid,
   *     a service cannot be hosted, members are listed and this process is none of them, or those
   *     of the cluster speak another version of Tempest's protocol
   * @throws java.io.UncheckedIOException if no port can be bound, saying why
   * @throws IllegalStateException if nothing of the state comes for 75 s, or the thread is
   *     interrupted
   */
  public static Node join() {
    return join(NodeConfig.load());
  }

  /** Joins as {@link #join()} does, with a configuration made in code. */
  public static Node join(NodeConfig config) {
    return new Node(LocalNode.join(config));
  }
}
