package dev.tempest.bench;

import dev.tempest.simulator.ServiceWorkload;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Requests to seven services at once, with one replica of each and with eight, after Fig. 7 of the
 * Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN 2008): six kinds of services and
 * one that does nothing, four clients, each with a request every 50 ms that goes to all seven in
 * parallel, half of them updates; reads ask two replicas.
 */
final class CompositeExperiment {
  /** With a server for each replica. */
  static final int MEAN_SERVICE_MICROS = 10_000;

  /** With all seven services in one thread per server, and all servers on this machine. */
  static final int SHARED_MEAN_SERVICE_MICROS = 1_000;

  static final int CLIENTS = 4;
  static final int EVERY_MILLIS = 50;

  /** The paper's histograms have bins so wide. */
  private static final int BIN_MILLIS = 10;

  /** So many have bins of their own. */
  private static final double SHOWN_PERCENT = 99.5;

  private static final ServiceWorkload WORKLOAD =
      new ServiceWorkload(
          TimedRun.SEVEN,
          TimedRun.SEVEN.size(),
          CLIENTS,
          EVERY_MILLIS,
          ServiceWorkload.Asking.adaptive(2));

  /** All of it. */
  static final Experiment EXPERIMENT =
      new Experiment(
          "composite",
          TimedRun.settings("1,8", "1,3", "60", "10"),
          CompositeExperiment::measure,
          CompositeExperiment::report);

  private CompositeExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    TimedRun timed = new TimedRun(run);
    for (int replicas : run.settings().numbers("replicas")) {
      timed.simulate(WORKLOAD, new TimedRun.Layout(replicas, false, MEAN_SERVICE_MICROS));
    }
    for (int servers : timed.servers()) {
      TimedRun.Layout together = new TimedRun.Layout(servers, true, SHARED_MEAN_SERVICE_MICROS);
      timed.simulate(WORKLOAD, together);
      timed.measure(TimedRun.SEVEN, List.of(WORKLOAD), together);
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
    List<Points> counts = apart.by("replicas");
    if (counts.size() < 2) {
      return;
    }
    Points few = counts.getFirst();
    Points many = counts.getLast();
    String which =
        " with %s replicas / with %s".formatted(many.text("replicas"), few.text("replicas"));
    page.compare("mean of reads" + which, "less; figure only", many.part("readMeanMillis", few));
    page.compare("mean of updates" + which, "not told apart", many.part("updateMeanMillis", few));
    page.compare(
        "p99 of requests" + which, "less; figure only", many.part("requestP99Millis", few));
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
    List<Histogram> all = points.all().stream().map(Point::nanos).toList();
    int last =
        all.stream()
            .mapToInt(each -> bin(each.getValueAtPercentile(SHOWN_PERCENT)))
            .max()
            .orElse(0);
    for (Point point : points.all()) {
      NavigableMap<Integer, Double> percent = new TreeMap<>();
      for (int bin = 0; bin <= last; bin += BIN_MILLIS) {
        percent.put(bin, 0.0);
      }
      for (var value : point.nanos().recordedValues()) {
        int bin = Math.min(last, bin(value.getValueIteratedTo()));
        long count = value.getCountAddedInThisIterationStep();
        percent.merge(bin, 100.0 * count / point.nanos().getTotalCount(), Double::sum);
      }
      chart.add("%s replicas, %s".formatted(point.text("replicas"), point.text("source")), percent);
    }
    return chart;
  }

  private static int bin(long nanos) {
    return Math.toIntExact(nanos / 1_000_000 / BIN_MILLIS * BIN_MILLIS);
  }
}
