package dev.tempest.bench;

import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.tempest.OverloadSample;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers that are flooded, after Fig. 5 of the Tempest paper (Marian, Balakrishnan, Birman, van
 * Renesse; DSN 2008): the cart on six replicas, gossip every 40 ms, one update every 20 ms and
 * eight threads that read at three of the servers. For a time 128 rogue clients multicast requests
 * at a rate of their own, and the three victims have other work to do; the updates end with the
 * attack.
 *
 * <p>A result is stale if it misses an update that had been acknowledged before the read began. In
 * the end no replica may lack an acknowledged update. That is so by {@code merge}; the paper's own
 * rule, {@code adopt}, is run for comparison, and what it loses is counted.
 */
public final class OverloadBenchmark {
  private static final String NAME = "overload";
  private static final int REPLICAS = 6;
  private static final int VICTIMS = 3;
  private static final int ROGUES = 128;
  private static final int GOSSIP_MILLIS = 40;

  /** How servers that differ come to one state. */
  private static final List<String> RECONCILES = List.of("merge", "adopt");

  private OverloadBenchmark() {}

  /**
   * How to run it. Immutable.
   *
   * @param normal before the attack
   * @param attack the length of the attack, with which the updates end
   * @param recovery read on after the attack
   * @param requestsPerSecond of all rogue clients together
   * @param otherWork how many threads of each victim do nothing but use the processor
   * @param folder where results go; if null, a new one in {@code bench-results}
   */
  public record Options(
      Duration normal,
      Duration attack,
      Duration recovery,
      int requestsPerSecond,
      int otherWork,
      @Nullable Path folder) {

    /** Checks the limits. */
    public Options {
      if (normal.toMillis() < 1 || attack.toMillis() < 1 || recovery.toMillis() < 1) {
        throw new IllegalArgumentException("each part takes at least 1 ms");
      }
      if (requestsPerSecond < 1 || otherWork < 0) {
        throw new IllegalArgumentException(
            "need a request per second, and no negative number of threads");
      }
    }

    /** About a minute and a half. */
    public static Options defaults() {
      return new Options(
          Duration.ofSeconds(6), Duration.ofSeconds(14), Duration.ofSeconds(14), 40_000, 2, null);
    }

    /** The paper's times; about three minutes. */
    public static Options full() {
      return new Options(
          Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(40), 40_000, 2, null);
    }

    /** The same with other times. */
    public Options withTimes(Duration before, Duration during, Duration after) {
      return new Options(before, during, after, requestsPerSecond, otherWork, folder);
    }

    /** The same with another attack. */
    public Options withAttack(int ratePerSecond, int threads) {
      return new Options(normal, attack, recovery, ratePerSecond, threads, folder);
    }

    /** The same with results in another folder. */
    public Options withFolder(Path path) {
      return new Options(normal, attack, recovery, requestsPerSecond, otherWork, path);
    }

    Duration updating() {
      return normal.plus(attack);
    }
  }

  /**
   * What came out of one way to reconcile.
   *
   * @param reconcile how servers that differ come to one state
   * @param acknowledged how many updates were acknowledged
   * @param lost how many of them each replica lacks in the end
   */
  public record Outcome(String reconcile, long acknowledged, List<Long> lost) {}

  /**
   * What came out.
   *
   * @param folder where the measurements and the picture are
   */
  public record Result(List<Outcome> outcomes, Path folder) {}

  /**
   * Runs it and prints the tables.
   *
   * @throws IOException if a process does not start or fails; the processes' log in the folder of
   *     results says why
   */
  public static Result run(Options options, PrintWriter out)
      throws IOException, InterruptedException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder())) {
      Progress progress = new Progress(out);
      List<OverloadRun> runs = new ArrayList<>();
      for (String reconcile : RECONCILES) {
        try (Processes processes = new Processes(results.log())) {
          runs.add(run(options, reconcile, processes, progress));
        }
        new OverloadReport(options, runs).writeLines(results, runs.getLast());
      }
      progress.clear();
      OverloadReport report = new OverloadReport(options, runs);
      report.draw(results.path());
      report.print(out);
      out.printf("results: %s%n", results.path());
      out.flush();
      Result result = new Result(runs.stream().map(OverloadRun::outcome).toList(), results.path());
      OverloadPage.write(results.path(), result, runs.getFirst());
      return result;
    }
  }

  private static OverloadRun run(
      Options options, String reconcile, Processes processes, Progress progress)
      throws IOException, InterruptedException {
    progress.say(reconcile + ": starting");
    Processes.Cluster cluster = processes.overloaded(REPLICAS, GOSSIP_MILLIS, reconcile);
    ChildProcess client = processes.overloadClient(cluster, VICTIMS);
    ChildProcess rogues = processes.rogues(cluster);
    CompletableFuture<String> seen =
        inBackground(() ->
            client.ask(
                "run %d %d".formatted(options.updating().toMillis(), options.recovery().toMillis()),
                options.updating().plus(options.recovery())));
    progress.say(reconcile + ": normal");
    Thread.sleep(options.normal());
    progress.say(reconcile + ": attack");
    long attackMillis = options.attack().toMillis();
    for (ChildProcess victim : cluster.servers().subList(0, VICTIMS)) {
      victim.ask("burn %d %d".formatted(options.otherWork(), attackMillis), Duration.ZERO);
    }
    String flood = "flood %d %d %d".formatted(ROGUES, options.requestsPerSecond(), attackMillis);
    long flooded = Long.parseLong(rogues.ask(flood, options.attack()));
    progress.say(reconcile + ": recovery");
    OverloadSample sample = OverloadSample.parse(joined(seen));
    progress.say(reconcile + ": comparing");
    long settledMillis = Long.parseLong(client.ask("settle", Duration.ofMinutes(1)));
    List<Long> lost =
        Stream.of(client.ask("lost", Duration.ZERO).split(" ", -1)).map(Long::valueOf).toList();
    return new OverloadRun(
        reconcile,
        sample,
        options.updating().toMillis(),
        settledMillis,
        lost,
        flooded,
        sum(cluster.servers(), "UPDATES_SHED"),
        sum(cluster.servers(), "READS_SHED"));
  }

  private static long sum(List<ChildProcess> servers, String counter)
      throws IOException, InterruptedException {
    List<Long> counts = new ArrayList<>();
    for (ChildProcess server : servers) {
      counts.add(Long.parseLong(server.ask("count " + counter, Duration.ZERO)));
    }
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  /** What may fail as a process does. */
  private interface Question {
    String ask() throws IOException, InterruptedException;
  }

  private static CompletableFuture<String> inBackground(Question question) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(question.ask());
          } catch (IOException | InterruptedException | RuntimeException failed) {
            answer.completeExceptionally(failed);
          }
        });
    return answer;
  }

  private static String joined(CompletableFuture<String> answer) throws IOException {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      throw new IOException("the client failed: " + failed.getCause(), failed);
    }
  }
}
