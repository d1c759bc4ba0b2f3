package dev.tempest.bench;

import dev.tempest.simulator.ServiceWorkload;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Requests to seven services at once, with one replica of each and with eight, after Fig. 7. */
final class CompositeExperiment {
  /** With a server for each replica. */
  static final int MEAN_SERVICE_MICROS = 10_000;

  /** With all seven services in one thread per server, and all servers on this machine. */
  static final int SHARED_MEAN_SERVICE_MICROS = 1_000;

  private static final int CLIENTS = 4;
  private static final int EVERY_MILLIS = 50;

  /** The paper's histograms have bins so wide. */
  private static final int BIN_MILLIS = 10;

  /** So many have bins of their own. */
  private static final double SHOWN_PERCENT = 99.5;

  static final Experiment EXPERIMENT =
      new Experiment(
          "composite",
          TimedRun.settings("1,8", "1,3", "60", "10"),
          CompositeExperiment::measure,
          CompositeExperiment::report);

  private CompositeExperiment() {}

  /** Requests to so many of the seven. */
  static ServiceWorkload workload(int perRequest, ServiceWorkload.Asking asking) {
    return new ServiceWorkload(TimedRun.SEVEN, perRequest, CLIENTS, EVERY_MILLIS, asking);
  }

  private static void measure(Run run) throws IOException, InterruptedException {
    ServiceWorkload workload = workload(TimedRun.SEVEN.size(), ServiceWorkload.Asking.adaptive(2));
    for (int replicas : run.settings().numbers("replicas")) {
      new TimedRun(run, false).simulate(workload, replicas, MEAN_SERVICE_MICROS);
    }
    measureTogether(run, List.of(workload));
  }

  /** Simulates and measures servers that host all seven services each. */
  static void measureTogether(Run run, List<ServiceWorkload> workloads)
      throws IOException, InterruptedException {
    TimedRun together = new TimedRun(run, true);
    for (int servers : TimedRun.servers(run)) {
      for (ServiceWorkload workload : workloads) {
        together.simulate(workload, servers, SHARED_MEAN_SERVICE_MICROS);
      }
      together.measure(workloads, servers, SHARED_MEAN_SERVICE_MICROS);
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points together = points.where("together", true);
    Points apart = points.where("together", false);
    claims(page, apart);
    TimedRun.compareSources(page, points, "requests", "requestMeanMillis");
    page.chart(
        chart("simulated", "a server per replica, simulated", apart),
        "As the paper's figure, both histograms in one: simulated, a server per replica.");
    if (!together.isEmpty()) {
      page.chart(
          chart("measured", "all seven on each server", together),
          "Real servers with all seven services each, and the simulator in that layout.");
    }
    page.table(
        "Means with their standard errors", points, "together,replicas,source", TimedRun.COLUMNS);
  }

  private static void claims(Page page, Points apart) {
    String replicas = "replicas";
    if (apart.values(replicas).size() < 2) {
      return;
    }
    String which = apart.ends(" with %s replicas / with %s", replicas);
    page.compare(
        "mean of reads" + which, "less; figure only", apart.growth(replicas, "readMeanMillis"));
    page.compare(
        "mean of updates" + which, "not told apart", apart.growth(replicas, "updateMeanMillis"));
    page.compare(
        "p99 of requests" + which, "less; figure only", apart.growth(replicas, "requestP99Millis"));
  }

  /** All with the same bins, in percent. */
  private static Chart chart(String what, String title, Points points) {
    Chart chart =
        new Chart(
            Chart.Kind.BARS,
            "composite-" + what,
            "Requests to seven services at once, " + title,
            "milliseconds, in bins of %d; the last: that and more".formatted(BIN_MILLIS),
            "percentage of requests");
    int last =
        points.all().stream()
            .mapToInt(each -> bin(each.nanos().getValueAtPercentile(SHOWN_PERCENT)))
            .max()
            .orElse(0);
    for (Point point : points.all()) {
      Histogram nanos = point.nanos();
      NavigableMap<Integer, Double> percent = new TreeMap<>();
      for (int bin = 0; bin <= last; bin += BIN_MILLIS) {
        percent.put(bin, 0.0);
      }
      for (var value : nanos.recordedValues()) {
        int bin = Math.min(last, bin(value.getValueIteratedTo()));
        long count = value.getCountAddedInThisIterationStep();
        percent.merge(bin, 100.0 * count / nanos.getTotalCount(), Double::sum);
      }
      chart.add("%s replicas, %s".formatted(point.text("replicas"), point.text("source")), percent);
    }
    return chart;
  }

  private static int bin(long nanos) {
    return Math.toIntExact(nanos / 1_000_000 / BIN_MILLIS * BIN_MILLIS);
  }
}
