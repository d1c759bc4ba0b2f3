package dev.tempest.bench.command;

import dev.tempest.cli.CommandException;
import dev.tempest.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all benchmarks have in common: where results go, and what is said of wrong options and of
 * processes that fail.
 *
 * @param <O> how the benchmark is to run
 */
abstract class BenchmarkCommand<O> implements Callable<Integer> {
  static final String ROUNDS = "How often floor and servers are compared.";
  static final String SECONDS = "How long each of them runs in a round.";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the results go. Default: a new folder in bench-results.")
  private @Nullable Path folder;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * How to run, by the options of the command line.
   *
   * @throws IllegalArgumentException if they cannot be so: wrong usage
   */
  abstract O options();

  abstract void run(O options, PrintWriter out) throws IOException, InterruptedException;

  /** Where the results go; null for the default. */
  final @Nullable Path folder() {
    return folder;
  }

  static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  @Override
  public final Integer call() throws InterruptedException {
    O options = checked();
    try {
      run(options, spec.commandLine().getOut());
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

  private O checked() {
    try {
      return options();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
