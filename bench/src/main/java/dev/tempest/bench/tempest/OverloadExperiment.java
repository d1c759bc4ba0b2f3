package dev.tempest.bench.tempest;

import dev.tempest.bench.Chart;
import dev.tempest.bench.Experiment;
import dev.tempest.bench.Page;
import dev.tempest.bench.Point;
import dev.tempest.bench.Points;
import dev.tempest.bench.Run;
import dev.tempest.bench.Setting;
import dev.tempest.bench.Settings;
import dev.tempest.bench.Table;
import dev.tempest.bench.Table.Column;
import dev.tempest.bench.load.Child;
import dev.tempest.bench.load.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Servers that are flooded, after Fig. 5 of the Tempest paper (Marian, Balakrishnan, Birman, van
 * Renesse; DSN 2008).
 *
 * <p>A result is stale if it misses an update that had been acknowledged before the read began. In
 * the end no replica may lack an acknowledged update. That is so by {@code merge}; the paper's own
 * rule, {@code adopt}, is run for comparison, and what it loses is counted.
 */
public final class OverloadExperiment {
  private static final int REPLICAS = 6;
  private static final int VICTIMS = 3;
  private static final int ROGUES = 128;
  private static final int GOSSIP_MILLIS = 40;
  private static final Duration COMPARING = Duration.ofMinutes(1);

  /** All of it. */
  public static final Experiment EXPERIMENT =
      new Experiment(
          "overload",
          List.of(
              "Floods six servers of the cart with the requests of 128 rogue clients, and gives"
                  + " three of them other work, while one update is made every 20 ms and eight"
                  + " threads read at the three; about a minute and a half.",
              "",
              "Counts stale results, two seconds each: results that miss an update that had been"
                  + " acknowledged before the read began. The updates end with the attack, the"
                  + " reads go on. In the end the acknowledged updates are counted that a server"
                  + " lacks.",
              "",
              "First with 'reconcile: merge', then with the paper's own rule, 'adopt', which may"
                  + " lose some.",
              "",
              "With --full, the times of the Tempest paper; about three minutes."),
          List.of("overload --rate 20000 --other-work 4"),
          List.of(
              Setting.seconds("seconds", "14", "How long the attack takes.").full("30"),
              Setting.number("rate", "40000", "Requests per second of all rogue clients."),
              Setting.number(
                      "other-work",
                      "2",
                      "Threads of each victim that do nothing but use the processor.")
                  .within(0, 1_000),
              Setting.seconds("before", "6", "").full("10"),
              Setting.seconds("after", "14", "").full("40")),
          OverloadExperiment::measure,
          OverloadExperiment::report);

  private OverloadExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    for (String reconcile : List.of("merge", "adopt")) {
      try (Processes processes = new Processes(run.log())) {
        measure(run, reconcile, processes);
      }
    }
  }

  private static void measure(Run run, String reconcile, Processes processes)
      throws IOException, InterruptedException {
    Settings settings = run.settings();
    int beforeMillis = settings.millis("before");
    int attackMillis = settings.millis("seconds");
    int updatingMillis = beforeMillis + attackMillis;
    run.say(reconcile + ": starting");
    TempestServer.Hosting hosting =
        new TempestServer.Hosting(GOSSIP_MILLIS, reconcile.equals("adopt"), List.of(), 0);
    Cluster cluster = Cluster.start(processes, REPLICAS, hosting);
    var client = processes.start("client", new OverloadClient(cluster.address(), VICTIMS));
    var rogues = processes.start("rogue clients", new RogueClients(cluster.address()));
    OverloadClient.Run work = new OverloadClient.Run(updatingMillis, settings.millis("after"));
    Duration atLeast = COMPARING.plusMillis(work.updatingMillis()).plusMillis(work.restMillis());
    FutureTask<OverloadClient.Seen> asked = new FutureTask<>(() -> client.ask(work, atLeast));
    Thread.ofVirtual().start(asked);
    run.say(reconcile + ": normal");
    Thread.sleep(beforeMillis);
    run.say(reconcile + ": attack");
    for (Child<TempestServer.Question, Long> victim : cluster.servers().subList(0, VICTIMS)) {
      victim.ask(
          new TempestServer.Question.Burn(settings.number("other-work"), attackMillis),
          Duration.ZERO);
    }
    long flooded =
        rogues.ask(
            new RogueClients.Flood(ROGUES, settings.number("rate"), attackMillis),
            Duration.ofMillis(attackMillis));
    run.say(reconcile + ": recovery, then comparing");
    OverloadClient.Seen seen = answer(asked);
    addBins(run, reconcile, "victims", seen.victims());
    addBins(run, reconcile, "fastest", seen.fastest());
    run.add(
        Point.of(
                "experiment", "outcome",
                "reconcile", reconcile,
                "rogueRequests", flooded,
                "updates", seen.sent(),
                "acknowledged", seen.acknowledged(),
                "unable", seen.unable(),
                "unknown", seen.unknown(),
                "lastStaleAfterAttackMillis",
                    Math.max(0, seen.victims().lastStaleMillis() - updatingMillis),
                "settledMillis", seen.settledMillis(),
                "lost", seen.lost(),
                "mostLost", seen.lost().stream().mapToInt(each -> each).max().orElse(0),
                "updatesShed", sum(cluster, "UPDATES_SHED"),
                "readsShed", sum(cluster, "READS_SHED"))
            .onThisMachine());
  }

  private static OverloadClient.Seen answer(FutureTask<OverloadClient.Seen> asked)
      throws IOException, InterruptedException {
    try {
      return asked.get();
    } catch (ExecutionException failed) {
      throw new IOException("the client failed: " + failed.getCause(), failed);
    }
  }

  private static void addBins(Run run, String reconcile, String asked, ReadBins reads)
      throws IOException {
    int beforeMillis = run.settings().millis("before");
    int updatingMillis = beforeMillis + run.settings().millis("seconds");
    for (int bin = 0; bin < reads.bins(); bin++) {
      int millis = bin * ReadBins.BIN_MILLIS;
      run.add(
          Point.of(
              "experiment",
              "stale",
              "reconcile",
              reconcile,
              "asked",
              asked,
              "second",
              millis / 1_000,
              "phase",
              millis < beforeMillis ? "normal" : millis < updatingMillis ? "attack" : "recovery",
              "answered",
              reads.answered(bin),
              "stale",
              reads.stale(bin),
              "unanswered",
              reads.unanswered(bin)));
    }
  }

  private static long sum(Cluster cluster, String counter)
      throws IOException, InterruptedException {
    long sum = 0;
    for (Child<TempestServer.Question, Long> server : cluster.servers()) {
      sum += server.ask(new TempestServer.Question.Count(counter), Duration.ZERO);
    }
    return sum;
  }

  private static Page report(Points points, Settings settings) {
    Points outcomes = points.where("experiment", "outcome");
    Points bins = points.where("experiment", "stale");
    Page page = words();
    page.compare(
        "last stale result after the attack",
        "about 25 s",
        String.format(
            Locale.ROOT,
            "%.1f s",
            outcomes.where("reconcile", "merge").median("lastStaleAfterAttackMillis") / 1e3));
    for (Point outcome : outcomes.all()) {
      page.compare(
          "acknowledged updates lost, " + outcome.text("reconcile"),
          "not said",
          "%s of %s".formatted(outcome.text("mostLost"), outcome.text("acknowledged")));
    }
    Chart chart =
        new Chart(
            "overload-stale.svg",
            Chart.Kind.LINES_FROM_ZERO,
            "Stale results; attack from %.0f s to %.0f s"
                .formatted(
                    settings.millis("before") / 1e3,
                    (settings.millis("before") + settings.millis("seconds")) / 1e3),
            "seconds",
            "stale results in 2 s");
    for (Points reconcile : bins.by("reconcile")) {
      for (Points asked : reconcile.by("asked")) {
        chart.add(
            reconcile.text("reconcile") + ", at the " + asked.text("asked"),
            asked.curve("second", "stale"));
      }
    }
    page.chart(chart, "Stale results in two seconds each.");
    return page.table(
            Table.of(
                "Reads in 2 s each: results, stale ones, none; by threads that ask the victims, and"
                    + " by threads that ask the two servers that answer first",
                bins,
                List.of("reconcile", "asked", "second", "phase"),
                List.of(
                    Column.median("results", "answered", "%,.0f"),
                    Column.median("stale", "stale", "%,.0f"),
                    Column.median("none", "unanswered", "%,.0f"))))
        .table(
            Table.of(
                "Updates; acknowledged updates that the replicas lack in the end",
                outcomes,
                List.of("reconcile", "lost"),
                List.of(
                    Column.median("sent", "updates", "%,.0f"),
                    Column.median("acknowledged", "acknowledged", "%,.0f"),
                    Column.median("unable", "unable", "%,.0f"),
                    Column.median("unknown", "unknown", "%,.0f"),
                    Column.median("last stale after ms", "lastStaleAfterAttackMillis", "%,.0f"),
                    Column.median("equal after ms", "settledMillis", "%,.0f"))))
        .table(
            Table.of(
                "The attack, and what servers refused",
                outcomes,
                List.of("reconcile"),
                List.of(
                    Column.median("rogue requests", "rogueRequests", "%,.0f"),
                    Column.median("updates refused", "updatesShed", "%,.0f"),
                    Column.median("reads left", "readsShed", "%,.0f"))));
  }

  private static Page words() {
    return new Page("T5", "Recovery from overload", "Tempest (DSN 2008), section 4.2, Figure 5")
        .paper(
            "A cart on six servers, gossip every 40 ms, one update every 20 ms and eight threads"
                + " that read. From 10 s on, for 30 s, 128 rogue clients multicast requests, and"
                + " three victims have other work; the updates end with the attack.")
        .ours(
            "The same in processes of one machine, by both ways to reconcile. A result is stale if"
                + " it misses an update that had been acknowledged before the read began.")
        .measuredHere()
        .differs(
            "All processes share one machine, so that the attack slows the client and the other"
                + " servers, too.");
  }
}
