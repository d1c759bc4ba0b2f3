package dev.tempest.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tries mutants, several at a time, and says of each what became of it. */
final class MutantRun {
  private final String names;
  private final long seeds;
  private final int threads;

  MutantRun(String names, long seeds, int threads) {
    this.names = names;
    this.seeds = seeds;
    this.threads = threads;
  }

  /** Whether all were killed. */
  boolean run(PrintWriter out) throws IOException, InterruptedException {
    Path checkout = Mutant.checkout();
    List<Mutant> mutants = Mutant.named(names, checkout);
    if (mutants.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          "no mutant has a name with " + names,
          "option --mutants",
          "leave the name out to try all");
    }
    int killed = 0;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<MutantTrial.Verdict>> trials = new ArrayList<>();
      for (Mutant mutant : mutants) {
        MutantTrial trial = new MutantTrial(mutant, checkout, seeds, MutantTrial.WORK_MAX);
        trials.add(executor.submit(trial::run));
      }
      for (Future<MutantTrial.Verdict> trial : trials) {
        MutantTrial.Verdict verdict = verdict(trial);
        killed += verdict.killed() ? 1 : 0;
        out.println(verdict.line());
        out.flush();
      }
    }
    out.printf("%d of %d mutants were killed%n", killed, mutants.size());
    return killed == mutants.size();
  }

  private static MutantTrial.Verdict verdict(Future<MutantTrial.Verdict> trial)
      throws InterruptedException {
    try {
      return trial.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof CommandException broken) {
        throw broken;
      }
      throw new IllegalStateException("a mutant could not be tried", failed.getCause());
    }
  }
}
