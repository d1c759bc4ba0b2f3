package dev.tempest.bench.tempest;

import dev.tempest.FrontEndConfig;
import dev.tempest.config.NodeConfig;
import java.time.Duration;
import java.util.List;

/** The command lines of a cluster's processes, read by one side and written by the other. */
public final class TempestArguments {
  private static final String CLUSTER = "bench";

  /** As long as the floors wait, so that both lose the same time by a lost datagram. */
  private static final Duration RETRY_AFTER = Duration.ofMillis(100);

  private TempestArguments() {}

  /** A front-end of the servers. */
  public static FrontEndConfig.Builder frontEnd(String servers, String multicastPort) {
    return FrontEndConfig.builder(servers(servers))
        .cluster(CLUSTER)
        .multicastPort(Integer.parseInt(multicastPort))
        .retryAfter(RETRY_AFTER)
        .deadline(Duration.ofSeconds(10))
        .executor(Runnable::run); // Who makes load has no time for another thread.
  }

  static NodeConfig server(String servers, String multicastPort, String index) {
    List<String> all = servers(servers);
    return NodeConfig.builder()
        .cluster(CLUSTER)
        .listen(all.get(Integer.parseInt(index)))
        .members(all.toArray(String[]::new))
        .multicastPort(Integer.parseInt(multicastPort))
        .build();
  }

  private static List<String> servers(String joined) {
    return List.of(joined.split(",", -1));
  }
}
