package dev.tempest.bench;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Systems under each other: each number the median over the rounds, the maximum the highest. Times
 * are microseconds; "processor" is processor time per request, of all processes together.
 */
final class SystemTable {
  private SystemTable() {}

  static void print(ResultFolder results, List<String> systems, PrintWriter out) {
    out.printf(
        "%-26s %10s %10s %10s %10s %10s %11s %10s%n",
        "", "mean", "p50", "p99", "p99.9", "max", "requests/s", "processor");
    for (String system : systems) {
      out.printf(
          Locale.ROOT,
          "%-26s %10.1f %10.1f %10.1f %10.1f %10.1f %11.0f %10.1f%n",
          system,
          median(results, system, Measurement::meanMicros),
          median(results, system, Measurement::p50Micros),
          median(results, system, m -> m.sample().percentileMicros(99)),
          median(results, system, m -> m.sample().percentileMicros(99.9)),
          Spread.of(results.rounds(system, m -> m.sample().percentileMicros(100))).highest(),
          median(results, system, m -> m.sample().requestsPerSecond()),
          median(results, system, Measurement::processorMicros));
    }
  }

  private static double median(
      ResultFolder results, String system, ToDoubleFunction<Measurement> number) {
    return Spread.of(results.rounds(system, number)).median();
  }
}
