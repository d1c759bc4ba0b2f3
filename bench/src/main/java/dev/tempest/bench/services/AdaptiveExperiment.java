package dev.tempest.bench.services;

import dev.tempest.bench.Chart;
import dev.tempest.bench.Experiment;
import dev.tempest.bench.Page;
import dev.tempest.bench.Point;
import dev.tempest.bench.Points;
import dev.tempest.bench.Run;
import dev.tempest.bench.Settings;
import dev.tempest.bench.Table;
import dev.tempest.simulator.ServiceWorkload;
import dev.tempest.simulator.ServiceWorkload.Asking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whom reads ask, after Fig. 8 of the Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN
 * 2008): requests to n of seven services, n from 1 to 7, that ask the one, two or five replicas
 * that are fast now, beside the simple way: ask all once, then stick to the one that answered
 * first. Four clients, each with a request every 50 ms, half of them updates.
 *
 * <p>Then the same with services that take less and more time, for k has its price: each replica
 * that is asked works.
 */
public final class AdaptiveExperiment {
  private static final List<Asking> ASKINGS =
      List.of(Asking.discovery(), Asking.adaptive(1), Asking.adaptive(2), Asking.adaptive(5));

  /** With these, and the usual one, the servers are a quarter to nearly wholly busy. */
  private static final List<Integer> LOADS_MEAN_MICROS = List.of(5_000, 15_000, 18_000);

  /** On real servers, which take some seconds for each. */
  private static final List<Integer> MEASURED_PER_REQUEST = List.of(1, 4, 7);

  private static final int ALL = TimedRun.SEVEN.size();
  private static final String ASKING = "asking";
  private static final String MEAN_SERVICE = "meanServiceMicros";

  /** All of it. */
  public static final Experiment EXPERIMENT =
      new Experiment(
          "adaptive",
          List.of(
              "Requests to n of seven services whose reads ask the 1, 2 or 5 replicas that are fast"
                  + " now, beside asking all once and then only the one that answered first."
                  + " Simulated with 8 replicas, each on a server of its own; measured on 3 servers"
                  + " that host all seven; about two minutes.",
              "",
              "With --full, longer; about half an hour. After Fig. 8 of the Tempest paper; the page"
                  + " in the folder of results shows both."),
          List.of("adaptive", "adaptive --replicas 3,8 --simulated --virtual-seconds 60"),
          TimedRun.settings("8", "3", "20", "3"),
          AdaptiveExperiment::measure,
          AdaptiveExperiment::report);

  private AdaptiveExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    TimedRun timed = new TimedRun(run);
    for (int replicas : run.settings().numbers("replicas")) {
      for (Asking asking : ASKINGS) {
        for (int n = 1; n <= ALL; n++) {
          timed.simulate(
              workload(n, asking),
              new TimedRun.Layout(replicas, false, CompositeExperiment.MEAN_SERVICE_MICROS));
        }
      }
      for (Asking asking : ASKINGS) {
        for (int micros : LOADS_MEAN_MICROS) {
          timed.simulate(workload(ALL, asking), new TimedRun.Layout(replicas, false, micros));
        }
      }
    }
    List<ServiceWorkload> measured = new ArrayList<>();
    MEASURED_PER_REQUEST.forEach(n -> ASKINGS.forEach(asking -> measured.add(workload(n, asking))));
    for (int servers : timed.servers()) {
      TimedRun.Layout together =
          new TimedRun.Layout(servers, true, CompositeExperiment.SHARED_MEAN_SERVICE_MICROS);
      for (ServiceWorkload workload : measured) {
        timed.simulate(workload, together);
      }
      timed.measure(TimedRun.SEVEN, measured, together);
    }
  }

  private static ServiceWorkload workload(int perRequest, Asking asking) {
    return new ServiceWorkload(
        TimedRun.SEVEN,
        perRequest,
        CompositeExperiment.CLIENTS,
        CompositeExperiment.EVERY_MILLIS,
        asking);
  }

  private static Page report(Points points, Settings settings) {
    Points together = points.where("together", true);
    Points apart = points.where("together", false);
    Points curve = apart.where(MEAN_SERVICE, CompositeExperiment.MEAN_SERVICE_MICROS);
    Points loads =
        new Points(
            apart.where("perRequest", ALL).all().stream()
                .sorted(Comparator.comparingDouble(point -> point.number(MEAN_SERVICE)))
                .toList());
    Page page = words();
    if (!together.isEmpty()) {
      page.ours(
              "And on real servers that host all seven services each; an execution takes 1 ms on"
                  + " average. With three of them, k=5 asks all three.")
          .measuredHere();
    }
    claims(page, curve, loads);
    TimedRun.compareSources(page, points, "requests", "requestMeanMillis");
    return page.chart(
            chart("reads", "Reads of n of seven services at once", curve, "perRequest", "read"),
            "Reads: what k is about.")
        .chart(
            chart(
                "requests",
                "Requests to n of seven services at once",
                curve,
                "perRequest",
                "request"),
            "All requests: updates are executed by every replica, whatever k.")
        .chart(
            chart(
                "load",
                "Requests to all seven, with less and more to do",
                loads,
                MEAN_SERVICE,
                "request"),
            "The price of k: where an execution takes longer, servers are busier.")
        .table(
            Table.of(
                "Requests to n services, means with their standard errors",
                curve.and(together),
                List.of("title", "replicas", "source"),
                TimedRun.COLUMNS))
        .table(
            Table.of(
                "Requests to all seven services, by what an execution takes",
                loads,
                List.of(ASKING, MEAN_SERVICE, "replicas"),
                TimedRun.COLUMNS));
  }

  private static Page words() {
    return new Page(
            "T8",
            "Asking the replicas that are fast now",
            "Tempest (DSN 2008), section 4.3, Fig. 8")
        .paper(
            "PetStore's seven services; each request goes to n of them, chosen at random, n from 1"
                + " to 7. Queries ask the k replicas that are fast now, k 1, 2 or 5; beside it"
                + " discovery: the first query of a service is multicast, all later ones go to the"
                + " one replica that answered it first.")
        .paper(
            "The figure shows mean response times over n, with standard errors. The text: asking"
                + " several adaptively makes responses faster while replicas are not overloaded,"
                + " most with k=2.")
        .ours(
            "The same workload in the simulator: eight replicas of each service, each on a server"
                + " of its own; an execution takes 10 ms on average. Then the same with services"
                + " that take less and more time. Discovery is made of front-ends that know one"
                + " replica each.")
        .differs(
            "How long the paper's services take, and how many replicas they have here, is not"
                + " said.")
        .differs("Reads and updates are shown apart too: k concerns reads only.");
  }

  private static void claims(Page page, Points curve, Points loads) {
    Points seven = curve.where("perRequest", ALL);
    for (Asking asking : ASKINGS.subList(1, ASKINGS.size())) {
      page.compare(
          "reads of all seven, %s / discovery".formatted(asking),
          asking.replicas() == 2 ? "less than 1" : "figure only",
          ratio(seven, asking, Asking.discovery(), "readMeanMillis"));
    }
    page.compare(
        "all requests to all seven: k=2 / k=1, then k=5 / k=2",
        "largest payoff for k=2",
        "%s, then %s"
            .formatted(
                ratio(seven, Asking.adaptive(2), Asking.adaptive(1), "requestMeanMillis"),
                ratio(seven, Asking.adaptive(5), Asking.adaptive(2), "requestMeanMillis")));
    for (Points load : loads.by(MEAN_SERVICE)) {
      Point fastest =
          load.all().stream()
              .min(Comparator.comparingDouble(point -> point.number("requestMeanMillis")))
              .orElseThrow();
      page.compare(
          "fastest where an execution takes %s us".formatted(load.text(MEAN_SERVICE)),
          "k=2, while replicas are not overloaded",
          fastest.text(ASKING));
    }
  }

  private static String ratio(Points points, Asking one, Asking other, String field) {
    return TimedRun.ratio(
        points.where(ASKING, one.toString()), points.where(ASKING, other.toString()), field);
  }

  private static Chart chart(String file, String title, Points points, String x, String field) {
    Chart chart =
        new Chart(
            "adaptive-" + file + ".svg",
            Chart.Kind.LINES_FROM_ZERO,
            title + ", simulated",
            x.equals(MEAN_SERVICE)
                ? "microseconds that an execution takes"
                : "services per request",
            "milliseconds");
    for (Points asking : points.by(ASKING)) {
      for (Points replicas : asking.by("replicas")) {
        chart.add(
            "%s, %s replicas".formatted(replicas.text(ASKING), replicas.text("replicas")),
            replicas.curve(x, field + "MeanMillis"),
            replicas.curve(x, field + "ErrorMillis").values());
      }
    }
    return chart;
  }
}
