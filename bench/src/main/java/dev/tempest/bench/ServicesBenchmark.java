package dev.tempest.bench;

import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import dev.tempest.simulator.ServiceWorkload.Asking;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Services that compute, wait for a disk or both, with ever more replicas, after Fig. 6 of the
 * Tempest paper (Marian, Balakrishnan, Birman, van Renesse; DSN 2008): two front-ends, each with a
 * request every 40 ms to one service, half of them updates; gossip every 100 ms.
 */
public final class ServicesBenchmark {
  static final String READS_PICTURE = "services-reads.svg";
  static final String UPDATES_PICTURE = "services-updates.svg";

  /** What executing a method takes on average: long beside the network, short beside 40 ms. */
  static final int MEAN_SERVICE_MICROS = 10_000;

  private static final String NAME = "services";
  private static final int CLIENTS = 2;
  private static final int EVERY_MILLIS = 40;
  private static final Asking ASKING = Asking.adaptive(2);

  private ServicesBenchmark() {}

  /** Three to 56 replicas simulated, three on real servers; about a minute. */
  public static ServiceOptions defaults() {
    return new ServiceOptions(
        List.of(3, 8, 14, 28, 42, 56),
        List.of(3),
        Duration.ofSeconds(20),
        Duration.ofSeconds(4),
        1,
        null);
  }

  /** The same for longer; about a quarter of an hour. */
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
      for (ServiceKind kind : ServicePoint.sixKinds()) {
        for (int replicas : options.replicas()) {
          progress.say("simulating %d replicas: %s".formatted(replicas, kind.title()));
          points.add(
              ServicePoint.simulate(
                  NAME, workload(kind), layout(replicas), options.simulatedTime()));
          results.addLine(points.getLast().toJson());
        }
      }
      for (int servers : options.servers()) {
        points.addAll(measure(servers, options, results, progress));
      }
      points.sort(Comparator.comparing(ServicesBenchmark::kind)); // Real ones beside simulated.
      progress.clear();
      ServiceTable.print(points, point -> kind(point).title(), out);
      draw(points, results);
      ServicesPage.write(points, results.path());
      results.tell(out);
    }
  }

  private static List<ServicePoint> measure(
      int servers, ServiceOptions options, ResultFolder results, Progress progress)
      throws IOException, InterruptedException {
    List<ServicePoint> points = new ArrayList<>();
    progress.say("starting %d servers".formatted(servers));
    try (Processes processes = new Processes(results.log())) {
      TimedContestant contestant = processes.timed(ServicePoint.sixKinds(), layout(servers));
      contestant.warmUp(options.plan(workload(ServiceKind.IO_SMALL)));
      for (ServiceKind kind : ServicePoint.sixKinds()) {
        progress.say("%d servers: %s".formatted(servers, kind.title()));
        points.add(contestant.measure(NAME, options.plan(workload(kind))));
        results.addLine(points.getLast().toJson());
      }
    }
    return points;
  }

  private static ServiceWorkload workload(ServiceKind kind) {
    return new ServiceWorkload(List.of(kind), 1, CLIENTS, EVERY_MILLIS, ASKING);
  }

  private static ServicePoint.Layout layout(int replicas) {
    return new ServicePoint.Layout(replicas, false, MEAN_SERVICE_MICROS);
  }

  static ServiceKind kind(ServicePoint point) {
    return point.workload().services().getFirst();
  }

  private static void draw(List<ServicePoint> points, ResultFolder results) throws IOException {
    Charts.withErrors(
        results.path().resolve(READS_PICTURE),
        "Reads of services of six kinds, simulated",
        "replicas",
        "milliseconds",
        series(points, ServicePoint::readMillis));
    Charts.withErrors(
        results.path().resolve(UPDATES_PICTURE),
        "Updates of services of six kinds, simulated",
        "replicas",
        "milliseconds",
        series(points, ServicePoint::updateMillis));
  }

  private static Map<String, NavigableMap<Integer, MeanError>> series(
      List<ServicePoint> points, Function<ServicePoint, MeanError> number) {
    Map<String, NavigableMap<Integer, MeanError>> series = new LinkedHashMap<>();
    for (ServicePoint point : points) {
      if (!point.measured()) {
        series
            .computeIfAbsent(kind(point).title(), each -> new TreeMap<>())
            .put(point.layout().replicas(), number.apply(point));
      }
    }
    return series;
  }
}
