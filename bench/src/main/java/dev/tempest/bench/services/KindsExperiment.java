package dev.tempest.bench.services;

import dev.tempest.bench.Chart;
import dev.tempest.bench.Experiment;
import dev.tempest.bench.Page;
import dev.tempest.bench.Points;
import dev.tempest.bench.Run;
import dev.tempest.bench.Settings;
import dev.tempest.bench.Table;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Services that compute, wait for a disk or both, with ever more replicas, after Fig. 6 of the
 * Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN 2008): two front-ends, each with a
 * request every 40 ms to one service, half of them updates; gossip every 100 ms.
 */
public final class KindsExperiment {
  /** What executing a method takes on average: long beside the network, short beside 40 ms. */
  private static final int MEAN_SERVICE_MICROS = 10_000;

  private static final List<ServiceKind> SIX =
      TimedRun.SEVEN.stream().filter(kind -> kind != ServiceKind.NULL).toList();

  /** All of it. */
  public static final Experiment EXPERIMENT =
      new Experiment(
          "services",
          List.of(
              "Services that compute, wait for a disk or both, with small and large variance: two"
                  + " clients, each with a request every 40 ms, half of them updates. Simulated"
                  + " with 3 to 56 replicas, measured with 3; about a minute and a half.",
              "",
              "With --full, longer; about an hour. After Fig. 6 of the Tempest paper; the page in"
                  + " the folder of results shows both."),
          List.of("services", "services --replicas 3,8 --simulated --seed 7"),
          TimedRun.settings("3,8,14,28,42,56", "3", "20", "4"),
          KindsExperiment::measure,
          KindsExperiment::report);

  private KindsExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    TimedRun timed = new TimedRun(run);
    List<ServiceWorkload> workloads =
        SIX.stream()
            .map(kind ->
                new ServiceWorkload(List.of(kind), 1, 2, 40, ServiceWorkload.Asking.adaptive(2)))
            .toList();
    for (ServiceWorkload workload : workloads) {
      for (int replicas : run.settings().numbers("replicas")) {
        timed.simulate(workload, layout(replicas));
      }
    }
    for (int servers : timed.servers()) {
      timed.measure(SIX, workloads, layout(servers));
    }
  }

  private static TimedRun.Layout layout(int replicas) {
    return new TimedRun.Layout(replicas, false, MEAN_SERVICE_MICROS);
  }

  private static Page report(Points points, Settings settings) {
    Page page =
        new Page(
                "T6",
                "Services of six kinds, with more and more replicas",
                "Tempest (DSN 2008), section 4.3, Fig. 6")
            .paper(
                "Services that compute, do I/O or both, with small or large variance of their"
                    + " response times. Two front-ends, each with a request every 40 ms in a closed"
                    + " loop to one replicated service, half updates and half reads; gossip every"
                    + " 100 ms; on Emulab.")
            .paper(
                "The figure shows the latency of each service over the number of replicas, with"
                    + " standard errors. The text gives no latencies: it says that even services"
                    + " made to vary little vary much if they do I/O, and that below 3 replicas"
                    + " instances were overloaded.")
            .ours(
                "The same workload from the same seed, in the simulator with the replicas and"
                    + " front-ends that users run, each replica on a server of its own, and on real"
                    + " servers. Reads ask the two replicas that are fast now. An execution takes"
                    + " 10 ms on average.");
    if (!TimedRun.measured(points).isEmpty()) {
      page.measuredHere();
    }
    Points simulated = TimedRun.simulated(points);
    claims(page, points, simulated);
    return page.chart(
            chart("reads", simulated, "read"),
            "Reads: the first of two answers counts, so that large variance makes them faster.")
        .chart(
            chart("updates", simulated, "update"),
            "Updates: executed by every replica, answered by one.")
        .table(
            Table.of(
                "Means with their standard errors",
                points,
                List.of("title", "replicas", "source"),
                TimedRun.COLUMNS))
        .differs(
            "How long the paper's services take is not said. Ours are not overloaded with fewer"
                + " than three replicas: two front-ends keep one server half busy.")
        .differs(
            "Methods compute and do not give the server's thread away: a wait for the disk holds it"
                + " as computing does, simulated and real.")
        .differs(
            "Simulated servers have a processor each. Real ones share this machine's: an update,"
                + " which all execute at the same moment, takes longer where they compute.");
  }

  private static void claims(Page page, Points points, Points simulated) {
    List<Integer> counts =
        simulated.values("replicas").stream().map(Integer.class::cast).sorted().toList();
    Points fewest = simulated.where("replicas", counts.getFirst());
    Points most = simulated.where("replicas", counts.getLast());
    page.compare(
        "latency with %d replicas / with %d, over all kinds"
            .formatted(counts.getLast(), counts.getFirst()),
        "figure only; the text points at large errors with 42 and 56",
        "reads %s, updates %s"
            .formatted(
                most.ratio("readMeanMillis", fewest), most.ratio("updateMeanMillis", fewest)));
    page.compare(
        "standard deviation / mean of updates, I/O with small variance beside CPU with small",
        "I/O varies much even if made to vary little",
        "%s beside %s"
            .formatted(
                variation(most, ServiceKind.IO_SMALL), variation(most, ServiceKind.CPU_SMALL)));
    TimedRun.compareSources(page, points, "reads", "readMeanMillis");
    TimedRun.compareSources(page, points, "updates", "updateMeanMillis");
  }

  private static String variation(Points points, ServiceKind kind) {
    Points these = points.where("title", kind.title());
    return String.format(
        Locale.ROOT,
        "%.2f",
        these.median("updateDeviationMillis") / these.median("updateMeanMillis"));
  }

  private static Chart chart(String what, Points simulated, String field) {
    Chart chart =
        new Chart(
            "services-" + what + ".svg",
            Chart.Kind.LINES_FROM_ZERO,
            "Services of six kinds, simulated: " + what,
            "replicas",
            "milliseconds");
    for (Points kind : simulated.by("title")) {
      chart.add(
          kind.text("title"),
          kind.curve("replicas", field + "MeanMillis"),
          kind.curve("replicas", field + "ErrorMillis").values());
    }
    return chart;
  }
}
