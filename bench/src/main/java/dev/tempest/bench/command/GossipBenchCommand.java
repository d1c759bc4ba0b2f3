package dev.tempest.bench.command;

import dev.tempest.bench.GossipBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How gossip grows. */
@Command(
    name = "gossip",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Simulates how fast an update spreads by gossip alone among ever more replicas, and what"
            + " gossip takes after ever more updates; some 20 seconds.",
    footerHeading = "%nExample:%n",
    footer = "  tempest bench gossip --replicas 3,100 --updates 1000,100000 --interval 50")
final class GossipBenchCommand extends BenchmarkCommand<GossipBenchmark.Options> {
  @Option(
      names = "--full",
      description = "Up to 10,000 replicas and 10,000,000 updates; some three minutes, 4 GB.")
  private boolean full;

  @Option(
      names = "--replicas",
      split = ",",
      paramLabel = "N",
      description = "How many replicas an update spreads among.")
  private @Nullable List<Integer> replicas;

  @Option(
      names = "--updates",
      split = ",",
      paramLabel = "N",
      description = "How many updates there were before.")
  private @Nullable List<Integer> updates;

  @Option(
      names = "--interval",
      paramLabel = "MS",
      description = "Milliseconds between two rounds of a replica. Default: 100.")
  private @Nullable Integer intervalMillis;

  @Override
  GossipBenchmark.Options options() {
    GossipBenchmark.Options chosen =
        full ? GossipBenchmark.Options.full() : GossipBenchmark.Options.defaults();
    chosen =
        chosen.with(
            replicas == null ? chosen.replicas() : replicas,
            updates == null ? chosen.updates() : updates);
    if (intervalMillis != null) {
      chosen = chosen.withInterval(Duration.ofMillis(intervalMillis));
    }
    return folder() == null ? chosen : chosen.withFolder(folder());
  }

  @Override
  void run(GossipBenchmark.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    GossipBenchmark.run(options, out);
  }
}
