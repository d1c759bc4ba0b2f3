package dev.tempest.bench.command;

import dev.tempest.bench.ServletBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Callers that wait, in a servlet container. */
@Command(
    name = "servlet",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "A cart behind a servlet in embedded Tomcat under 16 to 1,024 HTTP clients, kept by three"
          + " servers with acks 3, in an embedded map, in a local map, in one that another thread"
          + " owns, and in Redis with two copies where redis-server is on the PATH; less than three"
          + " minutes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest bench servlet",
      "  tempest bench servlet --busy 2",
      "  tempest bench servlet --clients 64,256 --rounds 5 --virtual-threads"
    })
final class ServletBenchCommand extends BenchmarkCommand<ServletBenchmark.Options> {
  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      description = "The numbers of HTTP clients, with commas between.")
  private @Nullable List<Integer> clients;

  @Option(names = "--rounds", paramLabel = "N", description = "How often all are compared.")
  private @Nullable Integer rounds;

  @Option(names = "--seconds", paramLabel = "N", description = SECONDS)
  private @Nullable Double seconds;

  @Option(
      names = "--busy",
      paramLabel = "N",
      description = "Runs N loops beside, each of which keeps a processor busy.")
  private int busyLoops;

  @Option(names = "--virtual-threads", description = "Runs each request on a virtual thread.")
  private boolean virtualThreads;

  @Override
  ServletBenchmark.Options options() {
    ServletBenchmark.Options defaults = ServletBenchmark.Options.DEFAULT;
    return new ServletBenchmark.Options(
        clients == null ? defaults.clients() : clients,
        rounds == null ? defaults.rounds() : rounds,
        seconds == null ? defaults.perRound() : seconds(seconds),
        busyLoops,
        virtualThreads,
        folder());
  }

  @Override
  void run(ServletBenchmark.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    ServletBenchmark.run(options, out);
  }
}
