package dev.tempest.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Points under each other; times are milliseconds, means with their standard errors. */
final class ServiceTable {
  static final List<String> HEAD =
      List.of("", "replicas", "", "reads, ms", "updates, ms", "p50", "p99", "unanswered");

  private ServiceTable() {}

  static void print(
      List<ServicePoint> points, Function<ServicePoint, String> name, PrintWriter out) {
    out.printf("%-30s %8s %-10s %16s %16s %8s %8s %11s%n", HEAD.toArray());
    for (List<String> row : rows(points, name)) {
      out.printf("%-30s %8s %-10s %16s %16s %8s %8s %11s%n", row.toArray());
    }
  }

  static List<List<String>> rows(List<ServicePoint> points, Function<ServicePoint, String> name) {
    List<List<String>> rows = new ArrayList<>();
    for (ServicePoint point : points) {
      rows.add(
          List.of(
              name.apply(point),
              String.valueOf(point.layout().replicas()),
              point.source(),
              point.readMillis().toString(),
              point.updateMillis().toString(),
              String.format(Locale.ROOT, "%.1f", point.percentileMillis(50)),
              String.format(Locale.ROOT, "%.1f", point.percentileMillis(99)),
              String.valueOf(point.unanswered())));
    }
    return rows;
  }

  /** The simulated point of the same workload and layout as a measured one. */
  static Optional<ServicePoint> simulated(ServicePoint measured, List<ServicePoint> points) {
    return points.stream()
        .filter(point -> !point.measured())
        .filter(point -> point.workload().equals(measured.workload()))
        .filter(point -> point.layout().equals(measured.layout()))
        .findFirst();
  }

  /** What was measured, divided by what was simulated, of all means of both. */
  static Optional<Spread> measuredToSimulated(
      List<ServicePoint> points, Function<ServicePoint, MeanError> number) {
    List<Double> ratios = new ArrayList<>();
    for (ServicePoint point : points) {
      if (point.measured()) {
        simulated(point, points)
            .ifPresent(
                other -> ratios.add(number.apply(point).mean() / number.apply(other).mean()));
      }
    }
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
  }
}
