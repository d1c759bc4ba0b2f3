package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Ballots;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A server with registers, counters, queues and lists by consensus; its network loses datagrams.
 */
final class ConsensusServer {
  private ConsensusServer() {}

  /**
   * Serves until it is killed.
   *
   * @param arguments a name, how many of 100 datagrams it loses, where its logs are, who executes
   *     the updates of each service and what its reads show, the server itself, then all servers
   */
  public static void main(String[] arguments) throws IOException {
    System.setProperty("tempest.test.drop-percent", arguments[1]);
    Log log = Log.valueOf(arguments[2]);
    String self = arguments[7];
    String folder = log == Log.MEMORY ? "" : ServerProgram.checkpoints(self).toString();
    NodeConfig config =
        NodeConfig.builder()
            .listen(self)
            .checkpointFolder(folder)
            .checkpointEvery(Duration.ofSeconds(1))
            .log(log)
            .members(Arrays.copyOfRange(arguments, 8, arguments.length))
            .service(
                byConsensus(Workload.Services.REGISTERS, Registers.Service.class, arguments[3]))
            .service(byConsensus(Workload.Services.COUNTERS, Counters.Service.class, arguments[4]))
            .service(byConsensus(Workload.Services.QUEUES, Queues.Service.class, arguments[5]))
            .service(byConsensus(Workload.Services.LISTS, Lists.Service.class, arguments[6]))
            .build();
    Node node = Tempest.join(config);
    System.out.println(HostProcess.ANSWER + "ready");
    while (System.in.read() >= 0) {
      // Nobody tells it anything.
    }
    node.close();
  }

  private static ServiceConfig byConsensus(String name, Class<?> service, String terms) {
    return ServiceConfig.builder(name, service.getName())
        .options(Terms.parse(terms).options())
        .build();
  }

  /**
   * How a service is hosted.
   *
   * @param consistency by a majority, or by a primary
   * @param execute who executes its updates
   * @param reads what its reads show: of what is linearizable
   * @param ballots who gives updates their places
   */
  record Terms(Consistency consistency, Execute execute, Reads reads, Ballots ballots) {
    /** All execute, and vote. */
    static final Terms BY_VOTES =
        new Terms(Consistency.LINEARIZABLE, Execute.ALL, Reads.LINEARIZABLE, Ballots.FAST);

    private static final List<Reads> LINEARIZABLE =
        List.of(Reads.LINEARIZABLE, Reads.LEASE, Reads.LOCAL);

    static Terms any(Random random) {
      Execute[] all = Execute.values();
      Execute execute = all[random.nextInt(all.length)];
      return new Terms(Consistency.LINEARIZABLE, execute, reads(random), Ballots.CLASSIC);
    }

    /** Whom reads that are linearizable ask. */
    static Reads reads(Random random) {
      return LINEARIZABLE.get(random.nextInt(LINEARIZABLE.size()));
    }

    /** The same by a primary, which has no lease. */
    static Terms byPrimary(Random random) {
      Execute execute = any(random).execute();
      return new Terms(Consistency.PRIMARY_BACKUP, execute, Reads.LINEARIZABLE, Ballots.CLASSIC);
    }

    static Terms parse(String words) {
      String[] each = words.split("/", 4);
      return new Terms(
          Consistency.valueOf(each[0]),
          Execute.valueOf(each[1]),
          Reads.valueOf(each[2]),
          Ballots.valueOf(each[3]));
    }

    private ServiceOptions options() {
      return ServiceOptions.builder()
          .consistency(consistency)
          .execute(execute)
          .reads(reads)
          .ballots(ballots)
          .build();
    }

    @Override
    public String toString() {
      return consistency + "/" + execute + "/" + reads + "/" + ballots;
    }
  }
}
