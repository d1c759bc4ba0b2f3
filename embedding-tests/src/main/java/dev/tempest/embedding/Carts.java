package dev.tempest.embedding;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.Map;

/** An application that keeps a collection, and is alone with it. */
public final class Carts {
  private Carts() {}

  /** What is kept. */
  public record Cart(String customer, int items) {}

  /** Joins, puts, gets, prints. */
  public static void main(String[] arguments) {
    NodeConfig config =
        NodeConfig.load().toBuilder()
            .cluster("embedding-" + ProcessHandle.current().pid())
            .listen("127.0.0.1")
            .build();
    try (Node node = Tempest.join(config)) {
      Map<String, Cart> carts = node.map("carts");
      carts.put("alice", new Cart("alice", 3));
      System.out.println(carts);
    }
  }
}
