package dev.tempest.bench;

import dev.tempest.simulator.ServiceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Services of six kinds beside what the Tempest paper says of its own. */
final class ServicesPage {
  private ServicesPage() {}

  static void write(List<ServicePoint> points, Path folder) throws IOException {
    PaperPage page =
        new PaperPage(
            "T6",
            "Services of six kinds, with more and more replicas",
            "Tempest (DSN 2008), section 4.3, Fig. 6");
    page.paper(
        "Services that compute, do I/O or both, with small or large variance of their response"
            + " times. Two front-ends, each with a request every 40 ms in a closed loop to one"
            + " replicated service, half updates and half reads; gossip every 100 ms; on Emulab.");
    page.paper(
        "The figure shows the latency of each service over the number of replicas, with standard"
            + " errors. The text gives no latencies: it says that even services made to vary little"
            + " vary much if they do I/O, and that below 3 replicas instances were overloaded.");
    page.ours(
        "The same workload from the same seed, in the simulator with the replicas and front-ends"
            + " that users run, each replica on a server of its own, and on real servers. Reads ask"
            + " the two replicas that are fast now. An execution takes %d ms on average."
                .formatted(ServicesBenchmark.MEAN_SERVICE_MICROS / 1_000));
    if (points.stream().anyMatch(ServicePoint::measured)) {
      page.measuredHere();
    }
    claims(page, points);
    page.picture(
        folder.resolve(ServicesBenchmark.READS_PICTURE),
        "Reads: the first of two answers counts, so that large variance makes them faster.");
    page.picture(
        folder.resolve(ServicesBenchmark.UPDATES_PICTURE),
        "Updates: executed by every replica, answered by one.");
    page.table(
        "Means with their standard errors",
        ServiceTable.HEAD,
        ServiceTable.rows(points, point -> ServicesBenchmark.kind(point).title()));
    page.differs(
        "How long the paper's services take is not said. Ours are not overloaded with fewer than"
            + " three replicas: two front-ends keep one server half busy.");
    page.differs(
        "Methods compute and do not give the server's thread away: a wait for the disk holds it as"
            + " computing does, simulated and real.");
    page.differs(
        "Simulated servers have a processor each. Real ones share this machine's: an update, which"
            + " all execute at the same moment, takes longer where they compute.");
    page.write(folder);
  }

  private static void claims(PaperPage page, List<ServicePoint> points) {
    List<ServicePoint> simulated = points.stream().filter(point -> !point.measured()).toList();
    int fewest = simulated.stream().mapToInt(p -> p.layout().replicas()).min().orElse(0);
    int most = simulated.stream().mapToInt(p -> p.layout().replicas()).max().orElse(0);
    if (fewest < most) {
      String what = "latency with %d replicas / with %d, over all kinds".formatted(most, fewest);
      page.compare(
          what,
          "figure only; the text points at large errors with 42 and 56",
          "reads %s, updates %s"
              .formatted(
                  growth(simulated, most, fewest, ServicePoint::readMillis),
                  growth(simulated, most, fewest, ServicePoint::updateMillis)));
    }
    page.compare(
        "standard deviation / mean of updates, I/O with small variance beside CPU with small",
        "I/O varies much even if made to vary little",
        String.format(
            Locale.ROOT,
            "%.2f beside %.2f",
            variation(simulated, ServiceKind.IO_SMALL, most),
            variation(simulated, ServiceKind.CPU_SMALL, most)));
    ServiceTable.measuredToSimulated(points, ServicePoint::readMillis)
        .ifPresent(
            ratio -> page.compare("reads measured / simulated", "not simulated", ratio.toString()));
    ServiceTable.measuredToSimulated(points, ServicePoint::updateMillis)
        .ifPresent(ratio ->
            page.compare("updates measured / simulated", "not simulated", ratio.toString()));
  }

  private static Spread growth(
      List<ServicePoint> points, int most, int fewest, Function<ServicePoint, MeanError> number) {
    return Spread.ofRatios(means(points, most, number), means(points, fewest, number));
  }

  private static List<Double> means(
      List<ServicePoint> points, int replicas, Function<ServicePoint, MeanError> number) {
    List<Double> means = new ArrayList<>();
    for (ServicePoint point : points) {
      if (point.layout().replicas() == replicas) {
        means.add(number.apply(point).mean());
      }
    }
    return means;
  }

  private static double variation(List<ServicePoint> points, ServiceKind kind, int replicas) {
    return points.stream()
        .filter(point -> ServicesBenchmark.kind(point) == kind)
        .filter(point -> point.layout().replicas() == replicas)
        .map(ServicePoint::updateMillis)
        .mapToDouble(millis -> millis.error() * Math.sqrt((double) millis.count()) / millis.mean())
        .findFirst()
        .orElse(0);
  }
}
