package dev.tempest.bench;

import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.servlet.CartKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cart behind a servlet in Tomcat, as most applications would use it: each request has a thread
 * that waits. What the cart is kept in differs, all else is the same.
 */
public final class ServletBenchmark {
  static final String NAME = "servlet";

  private static final int THINK_MILLIS = 20;
  private static final int THINKING_CLIENTS = 1_024;
  private static final int WARM_UP_CLIENTS = 64;
  private static final long WARM_UP_REQUESTS = 60_000;
  private static final int WARM_UP_TIMES_MAX = 3;

  private ServletBenchmark() {}

  /**
   * How to run it. Immutable.
   *
   * @param clients the numbers of HTTP clients
   * @param rounds how often all are compared
   * @param perRound how long each runs in a round with each number of clients
   * @param busyLoops so many loops keep processors busy meanwhile
   * @param virtualThreads whether Tomcat runs each request on a virtual thread
   * @param folder where results go; if null, a new one in {@code bench-results}
   */
  public record Options(
      List<Integer> clients,
      int rounds,
      Duration perRound,
      int busyLoops,
      boolean virtualThreads,
      @Nullable Path folder) {
    /** Less than three minutes. */
    public static final Options DEFAULT =
        new Options(List.of(16, 64, 256, 1_024), 3, Duration.ofSeconds(1), 0, false, null);

    /** Checks the limits. */
    public Options {
      clients = List.copyOf(clients);
      if (clients.isEmpty() || rounds < 1 || perRound.toMillis() < 1 || busyLoops < 0) {
        throw new IllegalArgumentException(
            "need a number of clients, a round, 1 ms per round, and not less than no busy loops");
      }
      clients.forEach(count -> new LoadPlan(count, 0, 0, 1, 0));
    }
  }

  /**
   * Runs it and prints the tables.
   *
   * @throws IOException if a process does not start or fails; the processes' log in the folder of
   *     results says why
   */
  public static void run(Options options, PrintWriter out)
      throws IOException, InterruptedException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder());
        ServletProcesses processes =
            new ServletProcesses(results.log(), options.virtualThreads())) {
      Progress progress = new Progress(out);
      List<ServletContestant> contestants = new ArrayList<>();
      for (CartKind kind : kinds(out)) {
        progress.say("starting and warming up: " + kind.title());
        ServletContestant contestant = processes.start(kind);
        contestant.warmUp(plan(WARM_UP_CLIENTS, 0, options), WARM_UP_REQUESTS, WARM_UP_TIMES_MAX);
        contestants.add(contestant);
      }
      if (options.busyLoops() > 0) {
        processes.busyLoops(options.busyLoops());
      }
      for (int round = 0; round < options.rounds(); round++) {
        for (LoadPlan plan : plans(options)) {
          for (ServletContestant contestant : contestants) {
            progress.say(
                "round %d of %d, %d clients: %s"
                    .formatted(
                        round + 1, options.rounds(), plan.clients(), contestant.kind().title()));
            results.add(contestant.measure(NAME, plan, round));
          }
        }
      }
      progress.clear();
      new ServletReport(results, options).write(out);
    }
  }

  private static List<CartKind> kinds(PrintWriter out) {
    List<CartKind> kinds = new ArrayList<>(List.of(CartKind.values()));
    if (!ServletProcesses.hasRedis()) {
      kinds.remove(CartKind.REDIS);
      out.println(
          "Redis is not measured: there is no redis-server on the PATH"
              + " (Debian, Ubuntu: apt-get install redis-server)");
    }
    return kinds;
  }

  static List<LoadPlan> plans(Options options) {
    List<LoadPlan> plans = new ArrayList<>();
    for (int clients : options.clients()) {
      plans.add(plan(clients, 0, options));
    }
    plans.add(plan(THINKING_CLIENTS, THINK_MILLIS, options));
    return plans;
  }

  /** A fifth more before it is measured, so that all clients are under way. */
  private static LoadPlan plan(int clients, int thinkMillis, Options options) {
    int millis = Math.toIntExact(options.perRound().toMillis());
    return new LoadPlan(clients, thinkMillis, millis / 5, millis, 0);
  }
}
