package dev.tempest.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Runs a whole cluster in one thread. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = "Runs whole clusters in one thread each, with faults that a seed decides.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"69:not in this build"},
    footerHeading = "%nExample:%n",
    footer = "  tempest simulate ")
final class SimulateCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    throw new CommandException(
        ExitCode.UNAVAILABLE,
        "the simulator is not in this build",
        "tempest simulate",
        "build a newer version");
  }
}
