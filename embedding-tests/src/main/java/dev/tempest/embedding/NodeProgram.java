package dev.tempest.embedding;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.io.IOException;
import java.util.Map;

/**
 * The least that an application does that keeps its state in a node; benchmarks measure its start.
 */
public final class NodeProgram {
  private static final String KEY = "alice";

  private NodeProgram() {}

  /**
   * Joins, puts an entry or waits until it sees that of another node, says that it is ready, and
   * stays until the parent is gone. Arguments: name of the cluster; {@code put}, {@code await}, or
   * {@code nothing} for a process without a node.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (!args[1].equals("nothing")) {
      join(args[0], args[1].equals("put"));
    }
    System.out.println("ready");
    obey();
  }

  private static void join(String cluster, boolean puts) throws InterruptedException {
    Node node = Tempest.join(NodeConfig.load().toBuilder().cluster(cluster).build());
    Map<String, String> map = node.map("carts", String.class, String.class);
    if (puts) {
      map.put(KEY, "3 apples");
    }
    while (map.get(KEY) == null) {
      Thread.sleep(1);
    }
  }

  private static void obey() throws IOException {
    for (int command = System.in.read(); command >= 0; command = System.in.read()) {
      if (command == 'g') {
        System.gc();
      }
      if (command == '\n') {
        System.out.println("answer done");
      }
    }
    Runtime.getRuntime().halt(0); // Silently: the others have ended as well.
  }
}
