package dev.tempest.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Listed for the help; the launcher, which has the sources, runs the tests. */
@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = "Builds Tempest and runs all its tests.",
    footer = {"%nRun it as ./tempest test, from a checkout of the sources."})
final class TestCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    throw new CommandException(
        ExitCode.USAGE,
        "the tests are run by the launcher",
        "tempest test",
        "run ./tempest test in a checkout of the sources");
  }
}
