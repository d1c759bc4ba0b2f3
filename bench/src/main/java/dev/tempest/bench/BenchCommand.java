package dev.tempest.bench;

import dev.tempest.cli.ExtraCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Tempest beside what the machine and the network alone can do. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK",
    description = {
      "Measures Tempest: services beside their floor, the same without any protocol; collections"
          + " beside those of the JDK and of Hazelcast; a join; a servlet beside Redis; and the"
          + " experiments of the papers that it follows, each with a page that shows paper and"
          + " ours side by side."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:measured",
      "64:wrong usage",
      "69:a process failed, or results cannot be written",
      "70:a bug in Tempest"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tempest bench echo", "  tempest bench cart --help         options of a benchmark"})
public final class BenchCommand implements ExtraCommand, Runnable {
  private static final List<Experiment> EXPERIMENTS =
      List.of(
          EchoExperiment.EXPERIMENT,
          CollectionsExperiment.EXPERIMENT,
          JoinExperiment.EXPERIMENT,
          CartExperiment.EXPERIMENT,
          ConsensusExperiment.EXPERIMENT,
          PaxosExperiment.EXPERIMENT,
          FailoverExperiment.EXPERIMENT,
          PrimaryExperiment.EXPERIMENT,
          CallersExperiment.EXPERIMENT,
          ServletExperiment.EXPERIMENT,
          OverloadExperiment.EXPERIMENT,
          KindsExperiment.EXPERIMENT,
          CompositeExperiment.EXPERIMENT,
          AdaptiveExperiment.EXPERIMENT,
          GossipGrowth.EXPERIMENT,
          FastPaxosExperiment.EXPERIMENT,
          BallotsExperiment.EXPERIMENT);

  private CommandSpec spec = CommandSpec.create();

  /** For the service loader. */
  public BenchCommand() {}

  /** Adds a command for each experiment. */
  @Spec
  void setSpec(CommandSpec own) {
    spec = own;
    EXPERIMENTS.forEach(each -> own.addSubcommand(each.name(), new ExperimentCommand(each).spec()));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which benchmark? One of " + String.join(", ", spec.subcommands().keySet()));
  }
}
