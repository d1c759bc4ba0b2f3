package dev.tempest.bench;

import dev.tempest.simulator.ServiceWorkload;
import dev.tempest.simulator.ServiceWorkload.Asking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Whom reads ask, after Fig. 8 of the Tempest paper: one, two or five replicas that are fast now,
 * or the one that answered the first read.
 *
 * <p>Then the same with services that take less and more time, for k has its price: each replica
 * that is asked works.
 */
final class AdaptiveExperiment {
  private static final List<Asking> ASKINGS =
      List.of(Asking.discovery(), Asking.adaptive(1), Asking.adaptive(2), Asking.adaptive(5));

  /** With these, of which all but the usual one only with all services, servers get ever busier. */
  private static final List<Integer> LOADS_MEAN_MICROS =
      List.of(5_000, CompositeExperiment.MEAN_SERVICE_MICROS, 15_000, 18_000);

  /** On real servers, which take some seconds for each. */
  private static final List<Integer> MEASURED_PER_REQUEST = List.of(1, 4, 7);

  private static final int ALL = TimedRun.SEVEN.size();
  private static final String ASKING = "asking";
  private static final String MEAN_SERVICE = "meanServiceMicros";

  static final Experiment EXPERIMENT =
      new Experiment(
          "adaptive",
          TimedRun.settings("8", "3", "20", "3"),
          AdaptiveExperiment::measure,
          AdaptiveExperiment::report);

  private AdaptiveExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    TimedRun apart = new TimedRun(run, false);
    for (int replicas : run.settings().numbers("replicas")) {
      for (Asking asking : ASKINGS) {
        for (int micros : LOADS_MEAN_MICROS) {
          int fewest = micros == CompositeExperiment.MEAN_SERVICE_MICROS ? 1 : ALL;
          for (int n = fewest; n <= ALL; n++) {
            apart.simulate(CompositeExperiment.workload(n, asking), replicas, micros);
          }
        }
      }
    }
    List<ServiceWorkload> measured = new ArrayList<>();
    for (int n : MEASURED_PER_REQUEST) {
      ASKINGS.forEach(asking -> measured.add(CompositeExperiment.workload(n, asking)));
    }
    CompositeExperiment.measureTogether(run, measured);
  }

  private static void report(Points points, Settings settings, Page page) {
    Points apart = points.where("together", false);
    Points curve = apart.where(MEAN_SERVICE, CompositeExperiment.MEAN_SERVICE_MICROS);
    Points loads = apart.where("perRequest", ALL);
    claims(page, curve.where("perRequest", ALL), loads);
    TimedRun.compareSources(page, points, "requests", "requestMeanMillis");
    page.chart(
        chart("reads", "Reads of n of seven services", curve, "perRequest", "read"),
        "Reads: what k is about.");
    page.chart(
        chart("requests", "Requests to n of seven services", curve, "perRequest", "request"),
        "All requests: updates are executed by every replica, whatever k.");
    page.chart(
        chart("load", "Requests to all seven, less or more to do", loads, MEAN_SERVICE, "request"),
        "The price of k: where an execution takes longer, servers are busier.");
    page.table(
        "Requests to n services, a server per replica, means with their standard errors",
        curve,
        "title,replicas,source",
        TimedRun.COLUMNS);
    page.table(
        "The same, all services on each server",
        points.where("together", true),
        "title,replicas,source",
        TimedRun.COLUMNS);
    page.table(
        "Requests to all seven services, by what an execution takes",
        loads,
        "asking,meanServiceMicros,replicas",
        TimedRun.COLUMNS);
  }

  private static void claims(Page page, Points seven, Points loads) {
    List<Points> askings =
        ASKINGS.stream().map(asking -> seven.where(ASKING, asking.toString())).toList();
    for (Points asking : askings.subList(1, askings.size())) {
      page.compare(
          "reads of all seven, %s / discovery".formatted(asking.text(ASKING)),
          asking.equals(askings.get(2)) ? "less than 1" : "figure only",
          asking.part("readMeanMillis", askings.getFirst()));
    }
    page.compare(
        "all requests to all seven: k=2 / k=1, then k=5 / k=2",
        "largest payoff for k=2",
        "%s, then %s"
            .formatted(
                askings.get(2).part("requestMeanMillis", askings.get(1)),
                askings.get(3).part("requestMeanMillis", askings.get(2))));
    for (Points load : loads.by(MEAN_SERVICE)) {
      Comparator<Point> byMean =
          Comparator.comparingDouble(each -> each.number("requestMeanMillis"));
      page.compare(
          "fastest where an execution takes %s us".formatted(load.text(MEAN_SERVICE)),
          "k=2, while replicas are not overloaded",
          Collections.min(load.all(), byMean).text(ASKING));
    }
  }

  private static Chart chart(String file, String title, Points points, String x, String field) {
    String xTitle =
        x.equals(MEAN_SERVICE) ? "microseconds that an execution takes" : "services per request";
    return new Chart(
            Chart.Kind.LINES_FROM_ZERO,
            "adaptive-" + file,
            title + ", simulated",
            xTitle,
            "milliseconds")
        .addMeans("%s, %s replicas", points, "asking,replicas", x, field);
  }
}
