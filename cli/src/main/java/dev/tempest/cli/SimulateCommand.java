package dev.tempest.cli;

import dev.tempest.simulator.Report;
import dev.tempest.simulator.Scenario;
import dev.tempest.simulator.Simulation;
import dev.tempest.simulator.Subject;
import dev.tempest.simulator.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs whole clusters in one thread each. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs whole clusters, each in one thread and from one seed, and checks every promise.",
      "",
      "A seed decides everything: how many replicas, what is lost, doubled, late, who crashes,"
          + " whose clock is wrong. The same seed gives the same run. The first failing seed is"
          + " shown with its trace and the command that replays it."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:every promise was kept, whatever the seed",
      " 1:a seed failed, or a mutant survived",
      "64:wrong usage",
      "70:a bug in Tempest"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest simulate --seeds 100000",
      "  tempest simulate --seeds 100000 --subject COLLECTIONS",
      "  tempest simulate --subject LINEARIZABLE",
      "  tempest simulate --subject LOG --seeds 100000",
      "  tempest simulate --seeds 5000 --scenario CRASH_ALL",
      "  tempest simulate --reconcile adopt",
      "  tempest simulate --seed 17 --trace",
      "  tempest simulate --mutants"
    })
final class SimulateCommand implements Callable<Integer> {
  private static final long SEEDS_MAX = 1_000_000_000_000L;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many seeds. Default: ${DEFAULT-VALUE}.")
  private long seeds;

  @Option(
      names = "--from",
      paramLabel = "S",
      defaultValue = "1",
      description = "The first seed. Default: ${DEFAULT-VALUE}.")
  private long from;

  /** What two replicas do of which each has what the other lacks. */
  private enum Reconcile {
    MERGE,
    ADOPT
  }

  @Option(names = "--seed", paramLabel = "S", description = "Only this seed.")
  private @Nullable Long seed;

  @Option(
      names = "--subject",
      paramLabel = "NAME",
      defaultValue = "SERVICE",
      description =
          "A SERVICE that clients ask, COLLECTIONS that processes write, CONSENSUS: a service"
              + " whose servers agree on each update, LINEARIZABLE: collections on whose contents"
              + " processes agree, or a LOG: replicas that agree on one, and nothing else."
              + " Default: ${DEFAULT-VALUE}.")
  private Subject subject = Subject.SERVICE;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description =
          "What goes wrong; a seed decides if it is not given. One of ${COMPLETION-CANDIDATES}.")
  private @Nullable Scenario scenario;

  @Option(
      names = "--reconcile",
      paramLabel = "MODE",
      defaultValue = "merge",
      description = {
        "What two replicas do of which each has what the other lacks: merge keeps all that came in"
            + " time, adopt lets one give up what the other lacks, and shows how many acknowledged"
            + " updates were lost. Default: ${DEFAULT-VALUE}."
      })
  private Reconcile reconcile = Reconcile.MERGE;

  @Option(names = "--trace", description = "With --seed: print the whole trace.")
  private boolean trace;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many seeds at a time. Default: one per processor.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--mutants",
      arity = "0..1",
      paramLabel = "NAME",
      fallbackValue = "",
      description =
          "Run seeds with each known wrong variant of the protocols, in a checkout, and show the"
              + " seed that kills it, which is to take a minute of processor time at most. With a"
              + " name: only those whose names contain it.")
  private @Nullable String mutants;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seeds < 1 || seeds > SEEDS_MAX || threads < 1 || threads > 1_024) {
      throw new CommandException(
          ExitCode.USAGE,
          "cannot run " + seeds + " seeds in " + threads + " threads",
          "options --seeds and --threads",
          "choose from 1 to " + SEEDS_MAX + " seeds, 1 to 1024 threads");
    }
    boolean agrees = subject != Subject.SERVICE && subject != Subject.COLLECTIONS;
    if (agrees && (scenario != null || reconcile == Reconcile.ADOPT)) {
      throw new CommandException(
          ExitCode.USAGE,
          "worlds of consensus have neither scenarios nor reconciliations",
          "options --scenario and --reconcile",
          "leave them out");
    }
    if (trace && seed == null) {
      throw new CommandException(
          ExitCode.USAGE, "cannot trace many seeds", "option --trace", "choose one with --seed");
    }
    if (seed != null && (isGiven("--seeds") || isGiven("--from"))) {
      throw new CommandException(
          ExitCode.USAGE, "one seed, or many?", "option --seed", "leave out --seeds and --from");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (mutants != null) {
      return new MutantRun(mutants, seeds, threads).run(out) ? ExitCode.OK : ExitCode.NO;
    }
    Simulation.Options options =
        Simulation.Options.defaults().withSubject(subject).withAdopts(reconcile == Reconcile.ADOPT);
    if (scenario != null) {
      options = options.withScenario(scenario);
    }
    Long one = seed;
    int exitCode = one == null ? many(options, out) : one(one, options, out);
    out.flush();
    return exitCode;
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private int one(long chosen, Simulation.Options options, PrintWriter out) {
    Report report = Simulation.run(chosen, trace ? options.withListener(out::println) : options);
    out.printf("seed %d, %s: %s%n", chosen, report.scenario(), report.counts());
    if (report instanceof Report.Failed failed) {
      explain(failed, out);
      return ExitCode.NO;
    }
    out.println("every promise was kept");
    return ExitCode.OK;
  }

  private int many(Simulation.Options options, PrintWriter out) throws InterruptedException {
    SeedRun run = new SeedRun(from, seeds, threads, options);
    Optional<Report.Failed> failed = run.run(new SeedProgress(spec.commandLine().getErr()));
    out.println(run.summary());
    failed.ifPresent(failure -> explain(failure, out));
    return failed.isPresent() ? ExitCode.NO : ExitCode.OK;
  }

  private void explain(Report.Failed failed, PrintWriter out) {
    if (!trace) {
      failed.trace().forEach(line -> out.println("  " + line));
    }
    out.printf(Locale.ROOT, "seed %d failed, %s:%n", failed.seed(), failed.scenario());
    for (Violation violation : failed.violations()) {
      out.println("  " + violation.kind() + ": " + violation.sentence());
    }
    out.println(
        "replay it with: tempest simulate --seed "
            + failed.seed()
            + (subject == Subject.SERVICE ? "" : " --subject " + subject)
            + (scenario == null ? "" : " --scenario " + scenario)
            + (reconcile == Reconcile.MERGE ? "" : " --reconcile adopt")
            + " --trace");
  }
}
