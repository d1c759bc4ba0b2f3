package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Servers that are flooded, after Fig. 5 of the Tempest paper. In the end no replica may lack an
 * acknowledged update; what the paper's own rule, {@code adopt}, loses is counted for comparison.
 */
final class OverloadExperiment {
  private static final int REPLICAS = 6;
  private static final int VICTIMS = 3;
  private static final int ROGUES = 128;
  private static final int GOSSIP_MILLIS = 40;
  private static final Duration COMPARING = Duration.ofMinutes(1);

  static final Experiment EXPERIMENT =
      new Experiment(
          "overload",
          List.of(
              Setting.seconds("seconds", "14", "How long the attack takes.").full("30"),
              Setting.number("rate", "40000", "Requests per second of all rogue clients."),
              Setting.number(
                      "other-work",
                      "2",
                      "Threads beside each victim that do nothing but use the processor.")
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
    var phases =
        new OverloadClient.Phases(
            settings.millis("before"), settings.millis("seconds"), settings.millis("after"));
    run.say(reconcile + ": starting");
    TempestServer.Hosting hosting =
        new TempestServer.Hosting(GOSSIP_MILLIS, reconcile.equals("adopt"), 0);
    Cluster cluster = Cluster.start(processes, REPLICAS, hosting);
    TempestAddress address = cluster.address();
    int rate = settings.number("rate");
    var rogues = processes.start("rogue clients", RogueClients.program(address, ROGUES, rate));
    int loops = VICTIMS * settings.number("other-work");
    var other = processes.start("other work", () -> new BusyLoops(loops));
    var client = processes.start("client", () -> new OverloadClient(address, VICTIMS));
    client.tell(phases);
    run.say(reconcile + ": normal");
    client.run(Duration.ofMillis(phases.beforeMillis()));
    run.say(reconcile + ": attack");
    Duration attack = Duration.ofMillis(phases.attackMillis());
    other.ask(attack, Duration.ZERO);
    long flooded = rogues.ask(attack, attack);
    run.say(reconcile + ": recovery, then comparing");
    for (Point point : client.answer(COMPARING.plusMillis(phases.afterMillis()))) {
      run.add(point.with("reconcile", reconcile).onThisMachine());
    }
    run.add(
        Point.of(
            "reconcile",
            reconcile,
            "rogueRequests",
            flooded,
            "updatesShed",
            sum(cluster, "UPDATES_SHED"),
            "readsShed",
            sum(cluster, "READS_SHED")));
  }

  private static long sum(Cluster cluster, String counter)
      throws IOException, InterruptedException {
    long sum = 0;
    for (Child<String, Long> server : cluster.servers()) {
      sum += server.ask(counter, Duration.ZERO);
    }
    return sum;
  }

  private static void report(Points points, Settings settings, Page page) {
    Points outcomes = points.having("acknowledged");
    Points bins = points.having("asked");
    double lastMillis = outcomes.where("reconcile", "merge").median("lastStaleAfterAttackMillis");
    page.compare(
        "last stale result after the attack",
        "about 25 s",
        String.format(Locale.ROOT, "%.1f s", lastMillis / 1e3));
    for (Point outcome : outcomes.all()) {
      page.compare(
          "acknowledged updates lost, " + outcome.text("reconcile"),
          "not said",
          "%s of %s".formatted(outcome.text("mostLost"), outcome.text("acknowledged")));
    }
    Chart chart =
        new Chart(
            Chart.Kind.LINES_FROM_ZERO,
            "overload-stale",
            "Stale results; attack from %.0f s on, for %.0f s"
                .formatted(settings.millis("before") / 1e3, settings.millis("seconds") / 1e3),
            "seconds",
            "stale results in 2 s");
    chart.add("%s, at the %s", bins, "reconcile,asked", "second", "stale");
    page.chart(chart, "Stale results in two seconds each.");
    page.table(
        "Reads in two seconds each",
        bins,
        "reconcile,asked,second,phase",
        Column.medians("answered", "stale", "unanswered"));
    page.table(
        "Updates; acknowledged updates that the replicas lack in the end",
        outcomes,
        "reconcile,lost",
        Column.medians(
            "sent=updates",
            "acknowledged",
            "unable",
            "unknown",
            "last stale after ms=lastStaleAfterAttackMillis",
            "equal after ms=settledMillis"));
    page.table(
        "The attack, and what servers refused",
        points.having("rogueRequests"),
        "reconcile",
        Column.medians(
            "rogue requests=rogueRequests", "updates refused=updatesShed", "reads left=readsShed"));
  }
}
