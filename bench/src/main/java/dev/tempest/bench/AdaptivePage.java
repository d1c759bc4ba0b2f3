package dev.tempest.bench;

import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload.Asking;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Whom reads ask, beside what the Tempest paper found. */
final class AdaptivePage {
  private AdaptivePage() {}

  static void write(List<ServicePoint> points, List<ServicePoint> loads, Path folder)
      throws IOException {
    PaperPage page =
        new PaperPage(
            "T8",
            "Asking the replicas that are fast now",
            "Tempest (DSN 2008), section 4.3, Fig. 8");
    page.paper(
        "PetStore's seven services; each request goes to n of them, chosen at random, n from 1 to"
            + " 7. Queries ask the k replicas that are fast now, k 1, 2 or 5; beside it discovery:"
            + " the first query of a service is multicast, all later ones go to the one replica"
            + " that answered it first.");
    page.paper(
        "The figure shows mean response times over n, with standard errors. The text: asking"
            + " several adaptively makes responses faster while replicas are not overloaded, most"
            + " with k=2.");
    page.ours(
        "The same workload in the simulator: eight replicas of each service, each on a server of"
            + " its own; an execution takes %d ms on average. Then the same with services that take"
                .formatted(CompositeBenchmark.MEAN_SERVICE_MICROS / 1_000)
            + " less and more time. Discovery is made of front-ends that know one replica each.");
    if (points.stream().anyMatch(ServicePoint::measured)) {
      page.ours(
          "And on real servers that host all seven services each; an execution takes %d ms on"
                  .formatted(CompositeBenchmark.SHARED_MEAN_SERVICE_MICROS / 1_000)
              + " average. With three of them, k=5 asks all three.");
      page.measuredHere();
    }
    claims(page, points, loads);
    page.picture(folder.resolve(AdaptiveBenchmark.READS_PICTURE), "Reads: what k is about.");
    page.picture(
        folder.resolve(AdaptiveBenchmark.REQUESTS_PICTURE),
        "All requests: updates are executed by every replica, whatever k.");
    page.picture(
        folder.resolve(AdaptiveBenchmark.LOAD_PICTURE),
        "The price of k: where an execution takes longer, servers are busier.");
    page.table(
        "Requests to n services, means with their standard errors",
        ServiceTable.HEAD,
        ServiceTable.rows(points, AdaptiveBenchmark::name));
    page.table(
        "Requests to all seven services, by what an execution takes",
        ServiceTable.HEAD,
        ServiceTable.rows(loads, AdaptiveBenchmark::loadName));
    page.differs(
        "How long the paper's services take, and how many replicas they have here, is not said.");
    page.differs("Reads and updates are shown apart too: k concerns reads only.");
    page.write(folder);
  }

  private static void claims(PaperPage page, List<ServicePoint> points, List<ServicePoint> loads) {
    int replicas = loads.stream().mapToInt(point -> point.layout().replicas()).max().orElse(0);
    List<ServicePoint> apart =
        points.stream()
            .filter(point -> !point.layout().together())
            .filter(point -> point.layout().replicas() == replicas)
            .filter(point -> point.workload().perRequest() == ServiceKind.values().length)
            .toList();
    for (Asking asking : AdaptiveBenchmark.ASKINGS) {
      if (!asking.isDiscovery()) {
        page.compare(
            "reads of all seven, %s / discovery".formatted(asking),
            asking.replicas() == 2 ? "less than 1" : "figure only",
            ratio(apart, asking, Asking.discovery(), ServicePoint::readMillis));
      }
    }
    page.compare(
        "all requests to all seven: k=2 / k=1, then k=5 / k=2",
        "largest payoff for k=2",
        "%s, then %s"
            .formatted(
                ratio(apart, Asking.adaptive(2), Asking.adaptive(1), ServicePoint::millis),
                ratio(apart, Asking.adaptive(5), Asking.adaptive(2), ServicePoint::millis)));
    for (int micros : AdaptiveBenchmark.LOADS_MEAN_MICROS) {
      loads.stream()
          .filter(point -> point.layout().replicas() == replicas)
          .filter(point -> point.layout().meanServiceMicros() == micros)
          .min(Comparator.comparingDouble(point -> point.millis().mean()))
          .ifPresent(best ->
              page.compare(
                  "fastest where an execution takes %d ms".formatted(micros / 1_000),
                  "k=2, while replicas are not overloaded",
                  best.workload().asking().toString()));
    }
    ServiceTable.measuredToSimulated(points, ServicePoint::millis)
        .ifPresent(ratio ->
            page.compare("requests measured / simulated", "not simulated", ratio.toString()));
  }

  private static String ratio(
      List<ServicePoint> points,
      Asking asking,
      Asking other,
      Function<ServicePoint, MeanError> number) {
    return String.format(
        Locale.ROOT, "%.2f", mean(points, asking, number) / mean(points, other, number));
  }

  private static double mean(
      List<ServicePoint> points, Asking asking, Function<ServicePoint, MeanError> number) {
    return points.stream()
        .filter(point -> point.workload().asking().equals(asking))
        .mapToDouble(point -> number.apply(point).mean())
        .average()
        .orElse(0);
  }
}
