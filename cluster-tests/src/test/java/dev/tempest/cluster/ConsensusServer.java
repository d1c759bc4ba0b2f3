package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * A server with registers, counters, queues and lists by consensus; its network loses datagrams.
 */
final class ConsensusServer {
  private ConsensusServer() {}

  /**
   * Serves until it is killed.
   *
   * @param arguments a name, how many of 100 datagrams it loses, where its logs are, the server
   *     itself, then all servers
   */
  public static void main(String[] arguments) throws IOException {
    System.setProperty("tempest.test.drop-percent", arguments[1]);
    Log log = Log.valueOf(arguments[2]);
    String folder = log == Log.MEMORY ? "" : ServerProgram.checkpoints(arguments[3]).toString();
    NodeConfig config =
        NodeConfig.builder()
            .listen(arguments[3])
            .checkpointFolder(folder)
            .checkpointEvery(Duration.ofSeconds(1))
            .log(log)
            .members(Arrays.copyOfRange(arguments, 4, arguments.length))
            .service(byConsensus(Workload.Services.REGISTERS, Registers.Service.class))
            .service(byConsensus(Workload.Services.COUNTERS, Counters.Service.class))
            .service(byConsensus(Workload.Services.QUEUES, Queues.Service.class))
            .service(byConsensus(Workload.Services.LISTS, Lists.Service.class))
            .build();
    Node node = Tempest.join(config);
    System.out.println(HostProcess.ANSWER + "ready");
    while (System.in.read() >= 0) {
      // Nobody tells it anything.
    }
    node.close();
  }

  private static ServiceConfig byConsensus(String name, Class<?> service) {
    ServiceOptions options = ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    return ServiceConfig.builder(name, service.getName()).options(options).build();
  }
}
