package dev.tempest.bench.command;

import dev.tempest.bench.OverloadBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Servers under a flood. */
@Command(
    name = "overload",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Floods six servers of the cart with the requests of 128 rogue clients, and gives three of"
          + " them other work, while one update is made every 20 ms and eight threads read at the"
          + " three; about a minute and a half.",
      "",
      "Counts stale results, two seconds each: results that miss an update that had been"
          + " acknowledged before the read began. The updates end with the attack, the reads go"
          + " on. In the end the acknowledged updates are counted that a server lacks.",
      "",
      "First with 'reconcile: merge', then with the paper's own rule, 'adopt', which may lose"
          + " some.",
      "",
      "With --full, the times of the Tempest paper."
    },
    footerHeading = "%nExample:%n",
    footer = "  tempest bench overload --rate 20000 --other-work 4")
final class OverloadBenchCommand extends BenchmarkCommand<OverloadBenchmark.Options> {
  @Option(names = "--full", description = "As long as in the paper; about three minutes.")
  private boolean full;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long the attack takes. Default: 14.")
  private @Nullable Double seconds;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Requests per second of all rogue clients. Default: 40,000.")
  private @Nullable Integer rate;

  @Option(
      names = "--other-work",
      paramLabel = "N",
      description = "Threads of each victim that do nothing but use the processor. Default: 2.")
  private @Nullable Integer otherWork;

  @Override
  OverloadBenchmark.Options options() {
    OverloadBenchmark.Options chosen =
        full ? OverloadBenchmark.Options.full() : OverloadBenchmark.Options.defaults();
    chosen =
        chosen.withAttack(
            rate == null ? chosen.requestsPerSecond() : rate,
            otherWork == null ? chosen.otherWork() : otherWork);
    if (seconds != null) {
      chosen = chosen.withTimes(chosen.normal(), seconds(seconds), chosen.recovery());
    }
    return folder() == null ? chosen : chosen.withFolder(folder());
  }

  @Override
  void run(OverloadBenchmark.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    OverloadBenchmark.run(options, out);
  }
}
