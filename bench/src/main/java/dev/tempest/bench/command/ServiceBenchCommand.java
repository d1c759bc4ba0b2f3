package dev.tempest.bench.command;

import dev.tempest.bench.AdaptiveBenchmark;
import dev.tempest.bench.CompositeBenchmark;
import dev.tempest.bench.ServiceOptions;
import dev.tempest.bench.ServicesBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The benchmarks with services that take time, simulated and on real servers. */
abstract class ServiceBenchCommand extends BenchmarkCommand<ServiceOptions> {
  @Option(names = "--full", description = "Five minutes of virtual and one of real time per point.")
  private boolean full;

  @Option(
      names = "--replicas",
      split = ",",
      paramLabel = "N",
      description = "How many replicas of each service are simulated.")
  private @Nullable List<Integer> replicas;

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "N",
      description = "How many real servers there are, all on this machine.")
  private @Nullable List<Integer> servers;

  @Option(names = "--simulated", description = "Only simulate: the same numbers on any machine.")
  private boolean simulated;

  @Option(
      names = "--virtual-seconds",
      paramLabel = "N",
      description = "How long each point is simulated.")
  private @Nullable Double virtualSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each point is measured on real servers.")
  private @Nullable Double seconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "What all requests and everything simulated follows from. Default: 1.")
  private @Nullable Long seed;

  abstract ServiceOptions defaults();

  abstract ServiceOptions full();

  @Override
  final ServiceOptions options() {
    ServiceOptions chosen = full ? full() : defaults();
    chosen =
        chosen.withTimes(
            virtualSeconds == null ? chosen.simulated() : seconds(virtualSeconds),
            seconds == null ? chosen.measured() : seconds(seconds));
    if (replicas != null) {
      chosen = chosen.withReplicas(replicas);
    }
    if (servers != null) {
      chosen = chosen.withServers(servers);
    }
    if (simulated) {
      chosen = chosen.withServers(List.of());
    }
    if (seed != null) {
      chosen = chosen.withSeed(seed);
    }
    return folder() == null ? chosen : chosen.withFolder(folder());
  }

  /** One service at a time. */
  @Command(
      name = "services",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Services that compute, wait for a disk or both, with small and large variance: two"
            + " clients, each with a request every 40 ms, half of them updates. Simulated with 3"
            + " to 56 replicas, measured with 3; about a minute and a half.",
        "",
        "With --full, longer; about an hour. After Fig. 6 of the Tempest paper; the page in the"
            + " folder of results shows both."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tempest bench services",
        "  tempest bench services --replicas 3,8 --simulated --seed 7"
      })
  static final class Services extends ServiceBenchCommand {
    @Override
    ServiceOptions defaults() {
      return ServicesBenchmark.defaults();
    }

    @Override
    ServiceOptions full() {
      return ServicesBenchmark.full();
    }

    @Override
    void run(ServiceOptions options, PrintWriter out) throws IOException, InterruptedException {
      ServicesBenchmark.run(options, out);
    }
  }

  /** Seven services at once. */
  @Command(
      name = "composite",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Requests to seven services at once, the six kinds and one that does nothing: four clients,"
            + " each with a request every 50 ms, half of them updates. Simulated with 1 and 8"
            + " replicas, each on a server of its own; measured on 1 and 3 servers that host all"
            + " seven; about a minute.",
        "",
        "With --full, longer; some five minutes. After Fig. 7 of the Tempest paper; the page in the"
            + " folder of results shows both."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tempest bench composite",
        "  tempest bench composite --replicas 1,2,4,8,16 --simulated"
      })
  static final class Composite extends ServiceBenchCommand {
    @Override
    ServiceOptions defaults() {
      return CompositeBenchmark.defaults();
    }

    @Override
    ServiceOptions full() {
      return CompositeBenchmark.full();
    }

    @Override
    void run(ServiceOptions options, PrintWriter out) throws IOException, InterruptedException {
      CompositeBenchmark.run(options, out);
    }
  }

  /** Whom reads ask. */
  @Command(
      name = "adaptive",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "Requests to n of seven services whose reads ask the 1, 2 or 5 replicas that are fast now,"
            + " beside asking all once and then only the one that answered first. Simulated with 8"
            + " replicas, each on a server of its own; measured on 3 servers that host all seven;"
            + " about two minutes.",
        "",
        "With --full, longer; about half an hour. After Fig. 8 of the Tempest paper; the page in"
            + " the folder of results shows both."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tempest bench adaptive",
        "  tempest bench adaptive --replicas 3,8 --simulated --virtual-seconds 60"
      })
  static final class Adaptive extends ServiceBenchCommand {
    @Override
    ServiceOptions defaults() {
      return AdaptiveBenchmark.defaults();
    }

    @Override
    ServiceOptions full() {
      return AdaptiveBenchmark.full();
    }

    @Override
    void run(ServiceOptions options, PrintWriter out) throws IOException, InterruptedException {
      AdaptiveBenchmark.run(options, out);
    }
  }
}
