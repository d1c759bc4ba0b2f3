package dev.tempest.cluster;

import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions.Reads;
import java.util.Arrays;
import java.util.List;

/**
 * A node with linearizable collections, whose network loses datagrams, and clients in its process.
 */
final class LinearizableNode {
  private LinearizableNode() {}

  /**
   * Answers commands.
   *
   * @param arguments a name, how many of 100 datagrams it loses, those of a {@link HistoryClient},
   *     whom reads ask, the node itself, then all nodes
   */
  public static void main(String[] arguments) throws Exception {
    System.setProperty("tempest.test.drop-percent", arguments[1]);
    NodeConfig config =
        NodeConfig.builder()
            .listen(arguments[7])
            .members(Arrays.copyOfRange(arguments, 8, arguments.length))
            .reads(Reads.valueOf(arguments[6]))
            .deadline(Workload.Services.DEADLINE)
            .collection(
                "*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .shutdownHook(false)
            .build();
    Workload.Services collections = new InCollections(Tempest.join(config));
    HistoryClient.Run run = HistoryClient.Run.parse(Arrays.asList(arguments).subList(2, 6));
    Answering.begin(new HistoryClient(run, 1, collections, List.of(collections)));
  }
}
