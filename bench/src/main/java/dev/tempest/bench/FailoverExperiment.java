package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How soon many clients have their next answer when the primary of a service is killed (Zhang,
 * Table III.4).
 */
final class FailoverExperiment {
  private static final String CLIENTS = "clients";
  private static final String KILLS = "kills";
  private static final String CALM = "calm";
  private static final Duration KILL_MAX = Duration.ofMinutes(1);

  private static final int PUBLISHED_ALONE = 189;

  /** Medians in ms from when the backup knew until so many clients were told. */
  private static final Map<Integer, Integer> PUBLISHED =
      Map.of(1, PUBLISHED_ALONE, 2, 215, 4, 524, 8, 896, 16, 1_989);

  static final Experiment EXPERIMENT =
      new Experiment(
          "failover",
          List.of(
              Setting.numbers(CLIENTS, "1,2,4,8,16,1000", "Clients.").within(1, 10_000),
              Setting.number(KILLS, "5", "How often the primary is killed for each number of them.")
                  .full("20"),
              Setting.seconds(CALM, "1", "")),
          FailoverExperiment::measure,
          FailoverExperiment::report);

  private FailoverExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    List<Integer> numbers = run.settings().numbers(CLIENTS);
    int kills = run.settings().number(KILLS);
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      TempestServer.Hosting hosting = TempestServer.Hosting.BY_PRIMARY;
      Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, hosting);
      TempestAddress address = cluster.address();
      int most = numbers.stream().mapToInt(each -> each).max().orElseThrow();
      var client =
          processes.start("clients", () -> new FailoverClients(address.usual().build(), most));
      List<Child<String, Long>> servers = new ArrayList<>(cluster.servers());
      for (int kill = 0; kill < kills; kill++) {
        for (int clients : numbers) {
          run.say("kill %d of %d, %s".formatted(kill + 1, kills, LoadPlan.clients(clients)));
          List<Long> pids = servers.stream().map(Child::pid).toList();
          Point killed = client.ask(new FailoverClients.Kill(pids, clients), KILL_MAX);
          run.add(killed.with("round", kill).onThisMachine());
          int index = (int) killed.number(FailoverClients.KILLED);
          // It is ready when there are two copies again.
          var again = new TempestServer(address, index, hosting);
          servers.set(index, processes.start("server", again));
          client.run(Duration.ofMillis(run.settings().millis(CALM)));
        }
      }
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points first = points.by(CLIENTS).getFirst();
    int least = Integer.parseInt(first.text(CLIENTS));
    for (Points each : points.by(CLIENTS)) {
      int clients = Integer.parseInt(each.text(CLIENTS));
      String of = LoadPlan.clients(clients) + ": ms, ";
      Integer published = PUBLISHED.get(clients);
      if (clients > 1) { // Else the first is the last.
        page.compare(
            of + "from the first that is told to the last",
            published == null ? "not measured" : "%,d from the failover".formatted(published),
            each.spread(FailoverClients.TELLING).toString());
      }
      page.shown(of + "kill -9 to the last answer", each.spread(FailoverClients.LAST));
      if (clients > least) {
        page.compare(
            "last told, from the kill, %,d clients / %s".formatted(clients, first.text(CLIENTS)),
            published == null
                ? "linear"
                : String.format(Locale.ROOT, "%.1f", (double) published / PUBLISHED_ALONE),
            each.part(FailoverClients.LAST, first));
      }
    }
    page.chart(
        new Chart(
                Chart.Kind.LINES,
                "failover",
                "The primary is killed",
                "clients",
                "milliseconds since kill -9")
            .add("the first answer", points.curve(CLIENTS, FailoverClients.FIRST))
            .add("half of the answers", points.curve(CLIENTS, FailoverClients.HALF))
            .add("the last answer", points.curve(CLIENTS, FailoverClients.LAST))
            .add("the last answer, nobody killed", points.curve(CLIENTS, FailoverClients.CALM)),
        "When so many clients, who all ask at once, have their answers.");
    List<Column> columns =
        new ArrayList<>(List.of(new Column(KILLS, each -> String.valueOf(each.all().size()))));
    columns.addAll(
        Column.medians(
            "last, nobody killed=" + FailoverClients.CALM,
            "first=" + FailoverClients.FIRST,
            "half=" + FailoverClients.HALF,
            "last=" + FailoverClients.LAST));
    columns.add(
        new Column(
            "longest last", each -> Spread.number(each.spread(FailoverClients.LAST).highest())));
    page.table("Milliseconds since kill -9 of the primary, medians", points, CLIENTS, columns);
  }
}
