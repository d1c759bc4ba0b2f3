package dev.tempest.bench;

import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Services that compute, wait for a disk or both, with ever more replicas, after Fig. 6. */
final class KindsExperiment {
  /** What executing a method takes on average: long beside the network, short beside 40 ms. */
  private static final int MEAN_SERVICE_MICROS = 10_000;

  static final Experiment EXPERIMENT =
      new Experiment(
          "services",
          TimedRun.settings("3,8,14,28,42,56", "3", "20", "4"),
          KindsExperiment::measure,
          KindsExperiment::report);

  private KindsExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    TimedRun timed = new TimedRun(run, false);
    List<ServiceWorkload> workloads =
        TimedRun.SEVEN.stream()
            .filter(kind -> kind != ServiceKind.NULL)
            .map(kind ->
                new ServiceWorkload(List.of(kind), 1, 2, 40, ServiceWorkload.Asking.adaptive(2)))
            .toList();
    for (ServiceWorkload workload : workloads) {
      for (int replicas : run.settings().numbers("replicas")) {
        timed.simulate(workload, replicas, MEAN_SERVICE_MICROS);
      }
    }
    for (int servers : TimedRun.servers(run)) {
      timed.measure(workloads, servers, MEAN_SERVICE_MICROS);
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points simulated = TimedRun.simulated(points);
    claims(page, points, simulated);
    page.chart(
        chart("reads", simulated, "read"),
        "Reads: the first of two answers counts, so that large variance makes them faster.");
    page.chart(
        chart("updates", simulated, "update"),
        "Updates: executed by every replica, answered by one.");
    page.table(
        "Means with their standard errors", points, "title,replicas,source", TimedRun.COLUMNS);
  }

  private static void claims(Page page, Points points, Points simulated) {
    List<Points> counts = simulated.by("replicas");
    Points fewest = counts.getFirst();
    Points most = counts.getLast();
    page.compare(
        simulated.ends("latency with %s replicas / with %s, over all kinds", "replicas"),
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
    String title = "Services of six kinds, simulated: " + what;
    return new Chart(
            Chart.Kind.LINES_FROM_ZERO, "services-" + what, title, "replicas", "milliseconds")
        .addMeans("%s", simulated, "title", "replicas", field);
  }
}
