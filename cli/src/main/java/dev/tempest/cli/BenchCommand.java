package dev.tempest.cli;

import dev.tempest.bench.CartBenchmark;
import dev.tempest.bench.CollectionsBenchmark;
import dev.tempest.bench.EchoBenchmark;
import dev.tempest.bench.GossipBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Tempest beside what the machine and the network alone can do. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK",
    description = {
      "Measures Tempest: services beside their floor, the same without any protocol; collections"
          + " beside those of the JDK and of Hazelcast; servers under a flood; and simulates how"
          + " gossip grows."
    },
    subcommands = {
      BenchCommand.Echo.class,
      BenchCommand.Cart.class,
      BenchCommand.Collections.class,
      BenchCommand.Gossip.class,
      OverloadCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:measured",
      "64:wrong usage",
      "69:a process failed, or results cannot be written",
      "70:a bug of Tempest"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest bench echo",
      "  tempest bench cart --out results",
      "  tempest bench collections",
      "  tempest bench gossip",
      "  tempest bench overload",
      "  tempest bench cart --help         options of a benchmark"
    })
final class BenchCommand implements Runnable {
  private static final String ROUNDS = "How often floor and servers are compared.";
  private static final String SECONDS = "How long each of them runs in a round.";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "which benchmark, echo, cart, collections, gossip or overload?");
  }

  /** Where results go, for every benchmark. */
  static final class Results {
    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Where the results go. Default: a new folder in bench-results.")
    @Nullable Path folder;
  }

  /** A benchmark that can fail as one does. */
  interface Benchmark {
    void run(PrintWriter out) throws IOException, InterruptedException;
  }

  static int measure(CommandSpec spec, Benchmark benchmark) throws InterruptedException {
    try {
      benchmark.run(spec.commandLine().getOut());
      return ExitCode.OK;
    } catch (IOException e) {
      CommandException failure =
          new CommandException(
              ExitCode.UNAVAILABLE,
              "the benchmark cannot go on (" + e.getMessage() + ")",
              spec.qualifiedName(),
              "read the log in the folder of results, or choose another folder with --out");
      failure.initCause(e);
      throw failure;
    }
  }

  /** Options as a benchmark takes them; what it refuses is wrong usage. */
  static <T> T options(CommandSpec spec, Callable<T> options) throws Exception {
    try {
      return options.call();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** One request at a time. */
  @Command(
      name = "echo",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = "One request of 64 B at a time to three replicas; about a minute.",
      footerHeading = "%nExample:%n",
      footer = "  tempest bench echo --rounds 3 --seconds 0.5 --out results")
  static final class Echo implements Callable<Integer> {
    @Mixin private Results results = new Results();

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

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
      EchoBenchmark.Options defaults = EchoBenchmark.Options.defaults();
      EchoBenchmark.Options chosen =
          options(
              spec,
              () -> {
                EchoBenchmark.Options timed =
                    defaults.withRounds(rounds, seconds(seconds), defaults.warmUp());
                return results.folder == null ? timed : timed.withFolder(results.folder);
              });
      return measure(spec, out -> EchoBenchmark.run(chosen, out));
    }
  }

  /** The cart under load. */
  @Command(
      name = "cart",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "The cart on three replicas under 1 to 128 clients, requests of 1,024 B, half of them"
            + " updates, with and without think time; about two minutes.",
        "",
        "With --full, the times and up to 1,024 clients of the Tempest paper; about 25 minutes."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tempest bench cart",
        "  tempest bench cart --clients 1,16,128 --rounds 3 --seconds 1"
      })
  static final class Cart implements Callable<Integer> {
    @Mixin private Results results = new Results();

    @Option(names = "--full", description = "As long and with as many clients as the paper.")
    private boolean full;

    @Option(
        names = "--clients",
        split = ",",
        paramLabel = "N",
        description = "The numbers of clients, with commas between.")
    private @Nullable List<Integer> clients;

    @Option(names = "--rounds", paramLabel = "N", description = ROUNDS)
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "N", description = SECONDS)
    private @Nullable Double seconds;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
      CartBenchmark.Options chosen = options(spec, this::chosen);
      return measure(spec, out -> CartBenchmark.run(chosen, out));
    }

    private CartBenchmark.Options chosen() {
      CartBenchmark.Options chosen =
          full ? CartBenchmark.Options.full() : CartBenchmark.Options.defaults();
      chosen =
          chosen.withRounds(
              rounds == null ? chosen.rounds() : rounds,
              seconds == null ? chosen.perRound() : seconds(seconds));
      if (clients != null) {
        chosen = chosen.withClients(clients);
      }
      return results.folder == null ? chosen : chosen.withFolder(results.folder);
    }
  }

  /** The collections of a node. */
  @Command(
      name = "collections",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = {
        "The maps of a node beside ConcurrentHashMap, TreeMap, ConcurrentSkipListMap and the"
            + " ReplicatedMap of Hazelcast; about four minutes, with 4 GB of memory.",
        "",
        "Maps: 1,000 and 1,000,000 strings, each map in a process of its own and ours and"
            + " Hazelcast's in a second one too, used by one thread. Time is that of the caller."
            + " Keys are equal to those in the map, not the same objects. The maps take turns in"
            + " rounds, and ratios are those of one round; before the next map's turn all writes"
            + " have reached the second process. 'put, 1,000/s' is 10 puts every 10 ms, each timed"
            + " by itself.",
        "",
        "Bytes: by how much the heap grows when the same keys and values are put into each map.",
        "",
        "Start: from the start of a process until its first put is done, and of a second one until"
            + " it sees that. Idle: resident memory and processor time of two nodes with -Xmx64m."
            + " Both with no other option of Java, on this one and on that of JAVA21_HOME.",
        "",
        "Each number that is a goal stands beside it at the end, reached or not."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  tempest bench collections",
        "  tempest bench collections --part maps --entries 1000 --rounds 5",
        "  tempest bench collections --part start,idle"
      })
  static final class Collections implements Callable<Integer> {
    @Mixin private Results results = new Results();

    @Option(names = "--full", description = "More rounds and longer ones; about ten minutes.")
    private boolean full;

    @Option(
        names = "--part",
        split = ",",
        paramLabel = "PART",
        description = "What to measure: maps, sorted, bytes, start, idle. Default: all of it.")
    private @Nullable List<CollectionsBenchmark.Part> parts;

    @Option(
        names = "--entries",
        split = ",",
        paramLabel = "N",
        description = "How many entries maps have, the smallest number first.")
    private @Nullable List<Integer> sizes;

    @Option(names = "--rounds", paramLabel = "N", description = "How often maps are compared.")
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "N", description = SECONDS)
    private @Nullable Double seconds;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
      CollectionsBenchmark.Options chosen = options(spec, this::chosen);
      return measure(spec, out -> CollectionsBenchmark.run(chosen, out));
    }

    private CollectionsBenchmark.Options chosen() {
      CollectionsBenchmark.Options chosen =
          full ? CollectionsBenchmark.Options.full() : CollectionsBenchmark.Options.defaults();
      chosen =
          chosen.withRounds(
              rounds == null ? chosen.rounds() : rounds,
              seconds == null ? chosen.each() : seconds(seconds),
              chosen.warmUp());
      if (parts != null) {
        chosen = chosen.withParts(EnumSet.copyOf(parts));
      }
      if (sizes != null) {
        chosen = chosen.withSizes(sizes);
      }
      return results.folder == null ? chosen : chosen.withFolder(results.folder);
    }
  }

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
  static final class Gossip implements Callable<Integer> {
    @Mixin private Results results = new Results();

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

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
      GossipBenchmark.Options chosen = options(spec, this::chosen);
      return measure(spec, out -> GossipBenchmark.run(chosen, out));
    }

    private GossipBenchmark.Options chosen() {
      GossipBenchmark.Options chosen =
          full ? GossipBenchmark.Options.full() : GossipBenchmark.Options.defaults();
      chosen =
          chosen.with(
              replicas == null ? chosen.replicas() : replicas,
              updates == null ? chosen.updates() : updates);
      if (intervalMillis != null) {
        chosen = chosen.withInterval(Duration.ofMillis(intervalMillis));
      }
      return results.folder == null ? chosen : chosen.withFolder(results.folder);
    }
  }
}
