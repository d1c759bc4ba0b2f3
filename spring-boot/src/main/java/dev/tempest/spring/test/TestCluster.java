package dev.tempest.spring.test;

import dev.tempest.Node;
import java.util.List;

/**
 * The nodes of a test, all in this process, and each with the services of the application. A bean
 * of tests with {@link AutoConfigureTestCluster}.
 *
 * @param nodes the first is the bean, which collections and clients are injected from; a test may
 *     close others
 */
public record TestCluster(List<Node> nodes) {
  /** Keeps them in their order. */
  public TestCluster {
    nodes = List.copyOf(nodes);
  }

  /**
   * One of them.
   *
   * @param index from 0, which is the bean
   */
  public Node node(int index) {
    return nodes.get(index);
  }
}
