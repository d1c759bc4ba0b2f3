package dev.tempest.bench;

import java.io.IOException;
import java.util.List;

/** One request at a time to three replicas, beside what the network alone takes for it. */
final class EchoExperiment {
  private static final String UDP_ECHO = "UDP echo, 2 processes";
  private static final String BARE = "bare multicast exchange";
  private static final String UPDATE = "tempest update";
  private static final String READ = "tempest read";
  private static final String P50 = "p50Micros";

  /** Of a request and its answer, without what a protocol adds. */
  private static final int BYTES = 64;

  private static final long WARM_UP_REQUESTS = 150_000;

  static final Experiment EXPERIMENT =
      new Experiment(
          "echo",
          List.of(Setting.rounds("7"), Setting.perRound("1"), Setting.warmUp("3")),
          EchoExperiment::measure,
          EchoExperiment::report);

  private EchoExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.USUAL);
      TempestAddress address = cluster.address();
      List<Contestant> contestants =
          List.of(
              Floor.udpEcho(BYTES).start(UDP_ECHO, processes),
              Floor.multicast(Cluster.REPLICAS, BYTES, BYTES, Floor.Mode.BLOCKING)
                  .start(BARE, processes),
              cluster.client(processes, UPDATE, () -> new EchoClient(address, BYTES, true)),
              cluster.client(processes, READ, () -> new EchoClient(address, BYTES, false)));
      LoadPlan warmUp = new LoadPlan(1, 0, run.settings().millis("warm-up"));
      for (Contestant contestant : contestants) {
        contestant.warmUp(warmUp, WARM_UP_REQUESTS, run);
      }
      LoadPlan plan = new LoadPlan(1, 0, run.settings().millis("seconds"));
      run.rounds(
          run.settings().number("rounds"),
          contestants.stream().map(contestant -> contestant.under(plan)).toList());
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points bare = points.where("system", BARE);
    Points update = points.where("system", UPDATE);
    Chart chart =
        new Chart(
            Chart.Kind.PERCENTILES,
            "echo",
            "One request of %d B at a time".formatted(BYTES),
            "percentage of requests at most as slow",
            "microseconds");
    for (Points system : points.by("system")) {
      chart.add(system.text("system"), system.nanos());
    }
    page.chart(chart, "All rounds.");
    page.table("Medians of the rounds", points, "system", Contestant.COLUMNS);
    page.atMost(1.5, "update / bare exchange, p50", update.ratio(P50, bare));
    // On a machine that others use too, the best round is the one that they disturbed least.
    page.shown(
        "the same of each one's best round",
        Spread.of(update.spread(P50).lowest() / bare.spread(P50).lowest()));
    page.shown("read / bare exchange, p50", points.where("system", READ).ratio(P50, bare));
    page.shown("bare exchange / UDP echo, p50", bare.ratio(P50, points.where("system", UDP_ECHO)));
  }
}
