package dev.tempest.bench;

import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.servlet.CartKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What {@link ServletBenchmark} found: a table, ratios beside goals, and a page. */
final class ServletReport {
  private static final String PICTURE = "servlet-requests.svg";
  private static final List<String> HEAD =
      List.of("", "clients", "think", "requests/s", "p50 us", "p99 us", "processor us");
  private static final String ROW = "%-26s %8s %8s %11s %9s %9s %13s%n";
  private static final int QUIET_GOAL_CLIENTS = 64;

  private final ResultFolder results;
  private final ServletBenchmark.Options options;
  private final List<CartKind> kinds;
  private final List<RoundRatio> ratios = new ArrayList<>();

  ServletReport(ResultFolder results, ServletBenchmark.Options options) {
    this.results = results;
    this.options = options;
    this.kinds =
        List.of(CartKind.values()).stream()
            .filter(kind -> !results.of(kind.title()).isEmpty())
            .toList();
    for (LoadPlan plan : ServletBenchmark.plans(options)) {
      compare(plan);
    }
  }

  /** Prints it, and writes the page. */
  void write(PrintWriter out) throws IOException {
    String title =
        "A cart behind a servlet in Tomcat%s, half adds, half checks%s"
            .formatted(
                options.virtualThreads() ? " on virtual threads" : "",
                options.busyLoops() == 0
                    ? ""
                    : ", %d busy loops beside".formatted(options.busyLoops()));
    out.println(title + "; medians of " + options.rounds() + " rounds");
    out.printf(ROW, HEAD.toArray());
    rows().forEach(row -> out.printf(ROW, row.toArray()));
    out.printf("%nOf the same rounds; \"processor\" is that of the servlet's process, a request%n");
    ratios.forEach(ratio -> out.println(ratio.toText()));
    writePage(title);
    results.tell(out);
  }

  private void compare(LoadPlan plan) {
    String load =
        String.format(
            Locale.ROOT,
            plan.thinkMillis() == 0 ? "%,d clients" : "%,d clients that think",
            plan.clients());
    for (CartKind kind : kinds) {
      if (kind != CartKind.LOCAL && kind != CartKind.EMBEDDED) {
        ratios.add(
            new RoundRatio(
                "processor us more than the local map, %s, %s".formatted(kind.title(), load),
                moreProcessorThanLocal(kind, plan),
                kind == CartKind.SERVICE ? "at most 25" : ""));
      }
    }
    ratio("requests/s", CartKind.EMBEDDED, CartKind.LOCAL, plan, load, "at least 0.80");
    if (!kinds.contains(CartKind.REDIS)) {
      return;
    }
    if (plan.thinkMillis() == 0) {
      boolean more = options.busyLoops() == 0 && plan.clients() <= QUIET_GOAL_CLIENTS;
      String goal = more ? "at least 1.3" : "at least 1.0";
      ratio("requests/s", CartKind.SERVICE, CartKind.REDIS, plan, load, goal);
    } else {
      ratios.add(
          new RoundRatio(
              "p99 of the service / p50 of Redis, " + load,
              Spread.ofRatios(
                  rounds(CartKind.SERVICE, plan, ServletReport::p99),
                  rounds(CartKind.REDIS, plan, Measurement::p50Micros)),
              "at most 2"));
    }
  }

  private Spread moreProcessorThanLocal(CartKind kind, LoadPlan plan) {
    List<Double> local = rounds(CartKind.LOCAL, plan, Measurement::processorMicros);
    List<Double> own = rounds(kind, plan, Measurement::processorMicros);
    List<Double> more = new ArrayList<>();
    for (int round = 0; round < own.size(); round++) {
      more.add(own.get(round) - local.get(round));
    }
    return Spread.of(more);
  }

  private void ratio(
      String what, CartKind one, CartKind other, LoadPlan plan, String load, String goal) {
    ratios.add(
        new RoundRatio(
            "%s, %s / %s, %s".formatted(what, one.title(), other.title(), load),
            Spread.ofRatios(
                rounds(one, plan, ServletReport::rate), rounds(other, plan, ServletReport::rate)),
            goal));
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (LoadPlan plan : ServletBenchmark.plans(options)) {
      for (CartKind kind : kinds) {
        rows.add(
            List.of(
                kind.title(),
                String.format(Locale.ROOT, "%,d", plan.clients()),
                plan.thinkMillis() + " ms",
                number("%,.0f", kind, plan, ServletReport::rate),
                number("%,.0f", kind, plan, Measurement::p50Micros),
                number("%,.0f", kind, plan, ServletReport::p99),
                number("%.1f", kind, plan, Measurement::processorMicros)));
      }
    }
    return rows;
  }

  private String number(
      String format, CartKind kind, LoadPlan plan, ToDoubleFunction<Measurement> number) {
    return String.format(Locale.ROOT, format, Spread.of(rounds(kind, plan, number)).median());
  }

  private List<Double> rounds(CartKind kind, LoadPlan plan, ToDoubleFunction<Measurement> number) {
    return results.of(kind.title()).stream()
        .filter(measurement -> measurement.plan().equals(plan))
        .map(number::applyAsDouble)
        .toList();
  }

  private static double rate(Measurement measurement) {
    return measurement.sample().requestsPerSecond();
  }

  private static double p99(Measurement measurement) {
    return measurement.sample().percentileMicros(99);
  }

  private void writePage(String title) throws IOException {
    Map<String, NavigableMap<Integer, Double>> rates = new LinkedHashMap<>();
    for (CartKind kind : kinds) {
      NavigableMap<Integer, Double> points = new TreeMap<>();
      for (LoadPlan plan : ServletBenchmark.plans(options)) {
        if (plan.thinkMillis() == 0) {
          points.put(plan.clients(), Spread.of(rounds(kind, plan, ServletReport::rate)).median());
        }
      }
      rates.put(kind.title(), points);
    }
    Charts.lines(
        results.path().resolve(PICTURE), title, "HTTP clients", "requests per second", rates);
    PaperPage page = new PaperPage("S", "Callers that wait", title);
    page.ours(
        "Embedded Tomcat, one servlet, HTTP clients whose connections stay open. What differs is"
            + " where the cart is kept: in a map of the servlet's process; in the same map, but"
            + " owned by one other thread, which is the floor for callers that block; in Redis,"
            + " where a write waits for two copies; on three servers of ours, where a write waits"
            + " for all; in a map of ours in three servlets' processes.");
    page.measuredHere();
    page.picture(results.path().resolve(PICTURE), "No think time.");
    page.table("Medians of the rounds; processor: the servlet's process, a request", HEAD, rows());
    page.table(
        "Of the same rounds",
        List.of("", "median [lowest .. highest]", "to be"),
        ratios.stream()
            .map(ratio -> List.of(ratio.what(), ratio.measured().toString(), ratio.goal()))
            .toList());
    page.write(results.path());
  }
}
