package dev.tempest.bench.command;

import dev.tempest.cli.ExtraCommand;
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
          + " beside those of the JDK and of Hazelcast; a servlet beside Redis; and the experiments"
          + " of the paper that it comes from, each with a page that shows paper and ours side by"
          + " side."
    },
    subcommands = {
      EchoBenchCommand.class,
      CollectionsBenchCommand.class,
      CartBenchCommand.class,
      ServletBenchCommand.class,
      OverloadBenchCommand.class,
      ServiceBenchCommand.Services.class,
      ServiceBenchCommand.Composite.class,
      ServiceBenchCommand.Adaptive.class,
      GossipBenchCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:measured",
      "64:wrong usage",
      "69:a process failed, or results cannot be written",
      "70:a bug in Tempest"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest bench echo",
      "  tempest bench cart --out results",
      "  tempest bench servlet",
      "  tempest bench collections",
      "  tempest bench overload",
      "  tempest bench services --simulated",
      "  tempest bench gossip",
      "  tempest bench cart --help         options of a benchmark"
    })
public final class BenchCommand implements ExtraCommand, Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** For the service loader. */
  public BenchCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which benchmark? One of " + String.join(", ", spec.subcommands().keySet()));
  }
}
