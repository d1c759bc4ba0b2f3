package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Nodes that start at the same moment on one machine, again and again. */
final class SimultaneousStartTest {
  private static final int RUNS = Integer.getInteger("starts", 10);
  private static final int NODES = 3;

  /** Not the usual ones, where others may be who run on this machine. */
  private static final String LISTEN = "127.0.0.1:17500-17599";

  /** Counts those who say that they have founded a cluster. */
  private static final class Founders extends Handler {
    private final String cluster;
    private int count;

    Founders(String cluster) {
      this.cluster = cluster;
    }

    @Override
    public synchronized void publish(LogRecord said) {
      if (said.getMessage().contains("founded cluster '" + cluster + "'")) {
        count++;
      }
    }

    synchronized int count() {
      return count;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void givesOneCluster() throws Exception {
    Logger logger = Logger.getLogger("dev.tempest.runtime.node.LocalNode");
    logger.setUseParentHandlers(false);
    try {
      for (int run = 1; run <= RUNS; run++) {
        Founders founders = new Founders("start-" + run);
        logger.addHandler(founders);
        try {
          start("start-" + run);
        } finally {
          logger.removeHandler(founders);
        }
        assertThat(founders.count()).as("founders in run " + run).isEqualTo(1);
      }
    } finally {
      logger.setUseParentHandlers(true);
    }
  }

  private static void start(String cluster) throws Exception {
    NodeConfig config = NodeConfig.builder().cluster(cluster).listen(LISTEN).build();
    List<Node> nodes = joinAtOnce(config);
    try {
      for (Node node : nodes) {
        eventually(
            "all members at " + node + " of " + cluster,
            () -> node.members().size() == NODES,
            () -> String.join(", ", node.members()));
      }
      List<Map<String, Integer>> maps = new ArrayList<>();
      nodes.forEach(node -> maps.add(node.map("ports")));
      for (int i = 0; i < NODES; i++) {
        maps.get(i).put("node-" + i, i);
      }
      for (Map<String, Integer> map : maps) {
        eventually("what all wrote in " + cluster, () -> map.size() == NODES, map::toString);
      }
    } finally {
      nodes.forEach(Node::close);
    }
  }

  private static List<Node> joinAtOnce(NodeConfig config) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(NODES);
    try (ExecutorService threads = Executors.newFixedThreadPool(NODES)) {
      List<Future<Node>> joining = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        joining.add(
            threads.submit(() -> {
              barrier.await();
              return Tempest.join(config);
            }));
      }
      List<Node> nodes = new ArrayList<>();
      for (Future<Node> node : joining) {
        nodes.add(node.get());
      }
      return nodes;
    }
  }
}
