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
import java.util.function.Function;

/**
 * Whom reads ask, after Fig. 8 of the Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN
 * 2008): requests to n of seven services, n from 1 to 7, that ask the one, two or five replicas
 * that are fast now, beside the simple way: ask all once, then stick to the one that answered
 * first. Four clients, each with a request every 50 ms, half of them updates.
 *
 * <p>Then the same with services that take less and more time, for k has its price: each replica
 * that is asked works.
 */
public final class AdaptiveBenchmark {
  static final String READS_PICTURE = "adaptive-reads.svg";
  static final String REQUESTS_PICTURE = "adaptive-requests.svg";
  static final String LOAD_PICTURE = "adaptive-load.svg";

  static final List<Asking> ASKINGS =
      List.of(Asking.discovery(), Asking.adaptive(1), Asking.adaptive(2), Asking.adaptive(5));

  /** With these the servers are a quarter to nearly wholly busy. */
  static final List<Integer> LOADS_MEAN_MICROS = List.of(5_000, 10_000, 15_000, 18_000);

  private static final String NAME = "adaptive";
  private static final int CLIENTS = 4;
  private static final int EVERY_MILLIS = 50;

  /** On real servers, which take some seconds for each. */
  private static final List<Integer> MEASURED_PER_REQUEST = List.of(1, 4, 7);

  private AdaptiveBenchmark() {}

  /** Eight replicas simulated, three real servers; about a minute and a half. */
  public static ServiceOptions defaults() {
    return new ServiceOptions(
        List.of(8), List.of(3), Duration.ofSeconds(20), Duration.ofSeconds(3), 1, null);
  }

  /** The same for longer; about half an hour. */
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
      List<ServicePoint> loads = new ArrayList<>();
      for (int replicas : options.replicas()) {
        points.addAll(simulate(replicas, options, results, progress));
        loads.addAll(load(replicas, options, results, progress));
      }
      for (int servers : options.servers()) {
        points.addAll(measure(servers, options, results, progress));
      }
      progress.clear();
      ServiceTable.print(points, AdaptiveBenchmark::name, out);
      out.printf("%nAll %d services, with less and more to do%n", ServiceKind.values().length);
      ServiceTable.print(loads, AdaptiveBenchmark::loadName, out);
      draw(points, loads, results);
      AdaptivePage.write(points, loads, results.path());
      results.tell(out);
    }
  }

  private static List<ServicePoint> simulate(
      int replicas, ServiceOptions options, ResultFolder results, Progress progress)
      throws IOException {
    List<ServicePoint> points = new ArrayList<>();
    ServicePoint.Layout layout =
        new ServicePoint.Layout(replicas, false, CompositeBenchmark.MEAN_SERVICE_MICROS);
    for (Asking asking : ASKINGS) {
      for (int n = 1; n <= ServiceKind.values().length; n++) {
        progress.say("simulating requests to %d services: %s".formatted(n, asking));
        points.add(
            ServicePoint.simulate(NAME, workload(n, asking), layout, options.simulatedTime()));
        results.addLine(points.getLast().toJson());
      }
    }
    return points;
  }

  private static List<ServicePoint> load(
      int replicas, ServiceOptions options, ResultFolder results, Progress progress)
      throws IOException {
    List<ServicePoint> points = new ArrayList<>();
    for (Asking asking : ASKINGS) {
      for (int micros : LOADS_MEAN_MICROS) {
        progress.say("simulating executions of %d µs: %s".formatted(micros, asking));
        ServicePoint.Layout layout = new ServicePoint.Layout(replicas, false, micros);
        ServiceWorkload workload = workload(ServiceKind.values().length, asking);
        points.add(ServicePoint.simulate(NAME, workload, layout, options.simulatedTime()));
        results.addLine(points.getLast().toJson());
      }
    }
    return points;
  }

  private static List<ServicePoint> measure(
      int servers, ServiceOptions options, ResultFolder results, Progress progress)
      throws IOException, InterruptedException {
    List<ServicePoint> points = new ArrayList<>();
    ServicePoint.Layout layout =
        new ServicePoint.Layout(servers, true, CompositeBenchmark.SHARED_MEAN_SERVICE_MICROS);
    progress.say("starting %d servers".formatted(servers));
    try (Processes processes = new Processes(results.log())) {
      List<ServiceKind> seven = List.of(ServiceKind.values());
      TimedContestant contestant = processes.timed(seven, layout);
      contestant.warmUp(options.plan(workload(seven.size(), Asking.adaptive(2))));
      for (int n : MEASURED_PER_REQUEST) {
        for (Asking asking : ASKINGS) {
          ServiceWorkload workload = workload(n, asking);
          progress.say("%d servers, requests to %d services: %s".formatted(servers, n, asking));
          points.add(ServicePoint.simulate(NAME, workload, layout, options.simulatedTime()));
          results.addLine(points.getLast().toJson());
          points.add(contestant.measure(NAME, options.plan(workload)));
          results.addLine(points.getLast().toJson());
        }
      }
    }
    return points;
  }

  private static ServiceWorkload workload(int perRequest, Asking asking) {
    return new ServiceWorkload(
        List.of(ServiceKind.values()), perRequest, CLIENTS, EVERY_MILLIS, asking);
  }

  static String name(ServicePoint point) {
    return "n=%d, %s".formatted(point.workload().perRequest(), point.workload().asking());
  }

  static String loadName(ServicePoint point) {
    return "%d ms, %s"
        .formatted(point.layout().meanServiceMicros() / 1_000, point.workload().asking());
  }

  private static void draw(
      List<ServicePoint> points, List<ServicePoint> loads, ResultFolder results)
      throws IOException {
    List<ServicePoint> curve = points.stream().filter(each -> !each.layout().together()).toList();
    Charts.withErrors(
        results.path().resolve(READS_PICTURE),
        "Reads of n of seven services at once, simulated",
        "services per request",
        "milliseconds",
        series(curve, each -> each.workload().perRequest(), ServicePoint::readMillis));
    Charts.withErrors(
        results.path().resolve(REQUESTS_PICTURE),
        "Reads and updates of n of seven services at once, simulated",
        "services per request",
        "milliseconds",
        series(curve, each -> each.workload().perRequest(), ServicePoint::millis));
    Charts.withErrors(
        results.path().resolve(LOAD_PICTURE),
        "Requests to all seven, with less and more to do, simulated",
        "milliseconds that an execution takes",
        "milliseconds",
        series(loads, each -> each.layout().meanServiceMicros() / 1_000, ServicePoint::millis));
  }

  private static String seriesName(ServicePoint point) {
    return "%s, %d replicas".formatted(point.workload().asking(), point.layout().replicas());
  }

  private static Map<String, NavigableMap<Integer, MeanError>> series(
      List<ServicePoint> points,
      Function<ServicePoint, Integer> x,
      Function<ServicePoint, MeanError> y) {
    Map<String, NavigableMap<Integer, MeanError>> series = new LinkedHashMap<>();
    for (ServicePoint point : points) {
      series
          .computeIfAbsent(seriesName(point), each -> new TreeMap<>())
          .put(x.apply(point), y.apply(point));
    }
    return series;
  }
}
