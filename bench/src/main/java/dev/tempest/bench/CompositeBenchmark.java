package dev.tempest.bench;

import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import dev.tempest.simulator.ServiceWorkload.Asking;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Requests to seven services at once, with one replica of each and with eight, after Fig. 7 of the
 * Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN 2008): six kinds of services and
 * one that does nothing, four clients, each with a request every 50 ms that goes to all seven in
 * parallel, half of them updates; reads ask two replicas.
 */
public final class CompositeBenchmark {
  static final String SIMULATED_PICTURE = "composite-simulated.svg";
  static final String MEASURED_PICTURE = "composite-measured.svg";

  /** With a server for each replica. */
  static final int MEAN_SERVICE_MICROS = 10_000;

  /** With all seven services in one thread per server, and all servers on this machine. */
  static final int SHARED_MEAN_SERVICE_MICROS = 1_000;

  /** So many have bins of their own. */
  private static final double SHOWN_PERCENT = 99.5;

  private static final String NAME = "composite";
  private static final int CLIENTS = 4;
  private static final int EVERY_MILLIS = 50;
  private static final Asking ASKING = Asking.adaptive(2);

  private CompositeBenchmark() {}

  /** One and eight replicas simulated, one and three real servers; about a minute. */
  public static ServiceOptions defaults() {
    return new ServiceOptions(
        List.of(1, 8), List.of(1, 3), Duration.ofSeconds(60), Duration.ofSeconds(10), 1, null);
  }

  /** The same for longer; about four minutes. */
  public static ServiceOptions full() {
    return defaults().full();
  }

  /**
   * Runs it and prints the tables.
   *
   * @throws IOException if a process does not start or fails, or results cannot be written
   */
  public static void run(ServiceOptions options, PrintWriter out)
      throws IOException, InterruptedException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder())) {
      Progress progress = new Progress(out);
      List<ServicePoint> points = new ArrayList<>();
      for (int replicas : options.replicas()) {
        progress.say("simulating %d replicas of seven services".formatted(replicas));
        points.add(simulate(apart(replicas), options, results));
      }
      for (int servers : options.servers()) {
        progress.say("simulating %d servers with seven services each".formatted(servers));
        points.add(simulate(together(servers), options, results));
        progress.say("measuring %d servers with seven services each".formatted(servers));
        points.add(measure(together(servers), options, results));
      }
      progress.clear();
      ServiceTable.print(points, CompositeBenchmark::name, out);
      draw(points, results);
      CompositePage.write(points, results.path());
      results.tell(out);
    }
  }

  private static ServicePoint simulate(
      ServicePoint.Layout layout, ServiceOptions options, ResultFolder results) throws IOException {
    ServicePoint point = ServicePoint.simulate(NAME, workload(), layout, options.simulatedTime());
    results.addLine(point.toJson());
    return point;
  }

  private static ServicePoint measure(
      ServicePoint.Layout layout, ServiceOptions options, ResultFolder results)
      throws IOException, InterruptedException {
    try (Processes processes = new Processes(results.log())) {
      TimedContestant contestant = processes.timed(workload().services(), layout);
      contestant.warmUp(options.plan(workload()));
      ServicePoint point = contestant.measure(NAME, options.plan(workload()));
      results.addLine(point.toJson());
      return point;
    }
  }

  private static ServiceWorkload workload() {
    List<ServiceKind> seven = List.of(ServiceKind.values());
    return new ServiceWorkload(seven, seven.size(), CLIENTS, EVERY_MILLIS, ASKING);
  }

  private static ServicePoint.Layout apart(int replicas) {
    return new ServicePoint.Layout(replicas, false, MEAN_SERVICE_MICROS);
  }

  private static ServicePoint.Layout together(int servers) {
    return new ServicePoint.Layout(servers, true, SHARED_MEAN_SERVICE_MICROS);
  }

  static String name(ServicePoint point) {
    return point.layout().together() ? "seven services per server" : "a server per replica";
  }

  private static void draw(List<ServicePoint> points, ResultFolder results) throws IOException {
    draw(
        results,
        SIMULATED_PICTURE,
        "Requests to seven services at once, a server per replica, simulated",
        bins(points, point -> !point.layout().together()));
    if (points.stream().anyMatch(ServicePoint::measured)) {
      draw(
          results,
          MEASURED_PICTURE,
          "Requests to seven services at once, all seven on each server",
          bins(points, point -> point.layout().together()));
    }
  }

  private static void draw(
      ResultFolder results,
      String file,
      String title,
      Map<String, NavigableMap<Integer, Double>> bins)
      throws IOException {
    Charts.histogram(
        results.path().resolve(file),
        title,
        "milliseconds, in bins of %d; the last: that and more".formatted(ServicePoint.BIN_MILLIS),
        "percentage of requests",
        bins);
  }

  /** All with the same bins, in percent. */
  private static Map<String, NavigableMap<Integer, Double>> bins(
      List<ServicePoint> points, Predicate<ServicePoint> shown) {
    List<ServicePoint> these = points.stream().filter(shown).toList();
    double mostMillis =
        these.stream().mapToDouble(each -> each.percentileMillis(SHOWN_PERCENT)).max().orElse(0);
    int last = (int) mostMillis / ServicePoint.BIN_MILLIS * ServicePoint.BIN_MILLIS;
    Map<String, NavigableMap<Integer, Double>> series = new LinkedHashMap<>();
    for (ServicePoint point : these) {
      NavigableMap<Integer, Double> counted = point.bins();
      double all = counted.values().stream().mapToDouble(Double::doubleValue).sum();
      NavigableMap<Integer, Double> percent = new TreeMap<>();
      for (int bin = 0; bin <= last; bin += ServicePoint.BIN_MILLIS) {
        percent.put(bin, 100 * counted.getOrDefault(bin, 0.0) / all);
      }
      double more = counted.tailMap(last, true).values().stream().mapToDouble(n -> n).sum();
      percent.put(last, 100 * more / all);
      int replicas = point.layout().replicas();
      String name = replicas + (replicas == 1 ? " replica, " : " replicas, ") + point.source();
      series.put(name, percent);
    }
    return series;
  }
}
