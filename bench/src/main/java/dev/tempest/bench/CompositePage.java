package dev.tempest.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Requests to seven services at once beside what the Tempest paper says of its own. */
final class CompositePage {
  private CompositePage() {}

  static void write(List<ServicePoint> points, Path folder) throws IOException {
    PaperPage page =
        new PaperPage("T7", "Seven services at once", "Tempest (DSN 2008), section 4.3, Fig. 7");
    page.paper(
        "PetStore as a cloud of seven services, the six kinds and one that does nothing. Four"
            + " clients in a closed loop, each with a request every 50 ms, half queries and half"
            + " updates, that goes to all seven in parallel and ends with the last answer; k=2."
            + " Each service without replication, and with 8 replicas: 56 servers.");
    page.paper(
        "The figure has two histograms of response times with bins of 10 ms, without replicas on"
            + " the left and with 8 on the right. The text gives no times: with replicas fewer"
            + " queries reach each of them, and the load is balanced.");
    page.ours(
        "The same workload and layout in the simulator, a server per replica; an execution takes"
            + " %d ms on average.".formatted(CompositeBenchmark.MEAN_SERVICE_MICROS / 1_000));
    boolean measured = points.stream().anyMatch(ServicePoint::measured);
    if (measured) {
      page.ours(
          "And on real servers, by one call of frontEnd.all: each server hosts all seven services,"
              + " an execution takes %d ms on average; beside it the simulator in that layout."
                  .formatted(CompositeBenchmark.SHARED_MEAN_SERVICE_MICROS / 1_000));
      page.measuredHere();
    }
    claims(page, points);
    page.picture(
        folder.resolve(CompositeBenchmark.SIMULATED_PICTURE),
        "As the paper's figure, both histograms in one: simulated, a server per replica.");
    if (measured) {
      page.picture(
          folder.resolve(CompositeBenchmark.MEASURED_PICTURE),
          "Real servers with all seven services each, and the simulator in that layout.");
    }
    page.table(
        "Means with their standard errors, milliseconds",
        ServiceTable.HEAD,
        ServiceTable.rows(points, CompositeBenchmark::name));
    page.differs("How long the paper's services take is not said.");
    page.differs(
        "Methods compute and do not give the server's thread away, so seven services on one server"
            + " take turns. The paper's replicas had a machine each; so have ours in the"
            + " simulator.");
    page.write(folder);
  }

  private static void claims(PaperPage page, List<ServicePoint> points) {
    List<ServicePoint> apart = points.stream().filter(point -> !point.layout().together()).toList();
    ServicePoint few = apart.getFirst();
    ServicePoint many = apart.getLast();
    if (apart.size() > 1) {
      String which =
          " with %d replicas / with %d"
              .formatted(many.layout().replicas(), few.layout().replicas());
      page.compare(
          "mean of reads" + which,
          "less; figure only",
          ratio(many, few, p -> p.readMillis().mean()));
      page.compare(
          "mean of updates" + which,
          "not told apart",
          ratio(many, few, p -> p.updateMillis().mean()));
      page.compare(
          "99 of 100 requests" + which,
          "less; figure only",
          ratio(many, few, p -> p.percentileMillis(99)));
    }
    ServiceTable.measuredToSimulated(points, ServicePoint::millis)
        .ifPresent(ratio ->
            page.compare("requests measured / simulated", "not simulated", ratio.toString()));
  }

  private static String ratio(
      ServicePoint one, ServicePoint other, ToDoubleFunction<ServicePoint> number) {
    return String.format(
        Locale.ROOT, "%.2f", number.applyAsDouble(one) / number.applyAsDouble(other));
  }
}
