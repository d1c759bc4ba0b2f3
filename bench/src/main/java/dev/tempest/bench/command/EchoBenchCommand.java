package dev.tempest.bench.command;

import dev.tempest.bench.EchoBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One request at a time. */
@Command(
    name = "echo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "One request of 64 B at a time to three replicas; about a minute.",
    footerHeading = "%nExample:%n",
    footer = "  tempest bench echo --rounds 3 --seconds 0.5 --out results")
final class EchoBenchCommand extends BenchmarkCommand<EchoBenchmark.Options> {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = ROUNDS + " Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "1",
      description = SECONDS + " Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Override
  EchoBenchmark.Options options() {
    EchoBenchmark.Options defaults = EchoBenchmark.Options.defaults();
    EchoBenchmark.Options timed = defaults.withRounds(rounds, seconds(seconds), defaults.warmUp());
    return folder() == null ? timed : timed.withFolder(folder());
  }

  @Override
  void run(EchoBenchmark.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    EchoBenchmark.run(options, out);
  }
}
