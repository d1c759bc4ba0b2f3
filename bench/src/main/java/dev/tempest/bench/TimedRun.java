package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import dev.tempest.simulator.ServiceExperiment;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A run of services that take time: in the simulator, and on real servers for what this machine
 * holds.
 */
record TimedRun(Run run) {
  /** All that the paper has. */
  static final List<ServiceKind> SEVEN = List.of(ServiceKind.values());

  static final List<Column> COLUMNS =
      Stream.concat(
              Stream.of(
                  new Column("reads, ms", points -> meanAndError(points, "read")),
                  new Column("updates, ms", points -> meanAndError(points, "update"))),
              Column.medians("p50=requestP50Millis", "p99=requestP99Millis", "unanswered").stream())
          .toList();

  private static final String SIMULATED = "simulated";
  private static final String MEASURED = "measured";
  private static final int WARM_UP_SHARE = 10;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Where services run.
   *
   * @param replicas of each
   * @param together whether each server hosts all of them; otherwise each replica has a server to
   *     itself
   * @param meanServiceMicros what executing a method takes, on average
   */
  record Layout(int replicas, boolean together, int meanServiceMicros) {}

  /** What can be chosen of all such experiments. */
  static List<Setting> settings(
      String replicas, String servers, String virtualSeconds, String seconds) {
    return List.of(
        Setting.numbers("replicas", replicas, "How many replicas of each service are simulated.")
            .within(1, 1_000),
        Setting.numbers("servers", servers, "How many real servers, all on this machine.")
            .within(1, 16),
        Setting.flag("simulated", "Only simulate: the same numbers on any machine."),
        Setting.seconds("virtual-seconds", virtualSeconds, "How long each point is simulated.")
            .full("300"),
        Setting.seconds("seconds", seconds, "How long each is measured on real servers.")
            .full("60"),
        Setting.number("seed", "1", "What all requests and everything simulated follows from."));
  }

  /** The numbers of real servers; none if all is only simulated. */
  List<Integer> servers() {
    return run.settings().is(SIMULATED) ? List.of() : run.settings().numbers("servers");
  }

  /** Simulates one point; a tenth more before requests count. */
  void simulate(ServiceWorkload workload, Layout layout) throws IOException {
    run.say("simulating %d replicas: %s".formatted(layout.replicas, title(workload)));
    int millis = run.settings().millis("virtual-seconds");
    ServiceExperiment.Result result =
        ServiceExperiment.run(
            new ServiceExperiment.Settings(
                workload,
                layout.replicas,
                layout.together,
                layout.meanServiceMicros * 1_000L,
                millis / WARM_UP_SHARE,
                millis,
                run.settings().number("seed")));
    Histogram reads = histogram(result.readNanos());
    Histogram updates = histogram(result.updateNanos());
    TimedClient.Times times = new TimedClient.Times(reads, updates, result.unanswered());
    run.add(point(SIMULATED, workload, layout, times));
  }

  /** Measures workloads on real servers that host all these kinds, a tenth more before each. */
  void measure(List<ServiceKind> hosted, List<ServiceWorkload> workloads, Layout layout)
      throws IOException, InterruptedException {
    run.say("starting %d servers".formatted(layout.replicas));
    TempestServer.Hosting hosting =
        new TempestServer.Hosting(100, false, hosted, layout.meanServiceMicros * 1_000L);
    int millis = run.settings().millis("seconds");
    int seed = run.settings().number("seed");
    try (Processes processes = new Processes(run.log())) {
      Cluster cluster = Cluster.start(processes, layout.replicas, hosting);
      var client = processes.start("clients", new TimedClient(cluster.address(), hosted));
      // The first time to no purpose but that all is loaded and compiled.
      var _ = client.ask(new TimedClient.Plan(workloads.getLast(), 0, millis, seed), LONG);
      for (ServiceWorkload workload : workloads) {
        run.say("measuring %d servers: %s".formatted(layout.replicas, title(workload)));
        var plan = new TimedClient.Plan(workload, millis / WARM_UP_SHARE, millis, seed);
        run.add(point(MEASURED, workload, layout, client.ask(plan, LONG)).onThisMachine());
      }
    }
  }

  private static Histogram histogram(long[] nanos) {
    Histogram histogram = Sample.newHistogram();
    for (long each : nanos) {
      histogram.recordValue(Math.min(each, Sample.MAX_NANOS));
    }
    return histogram;
  }

  private static Point point(
      String source, ServiceWorkload workload, Layout layout, TimedClient.Times times) {
    Histogram all = times.reads().copy();
    all.add(times.updates());
    Point point =
        Point.of(
            "source", source,
            "services", workload.services().toString(),
            "title", title(workload),
            "perRequest", workload.perRequest(),
            "clients", workload.clients(),
            "everyMillis", workload.everyMillis(),
            "asking", workload.asking().toString(),
            "replicas", layout.replicas,
            "together", layout.together,
            "meanServiceMicros", layout.meanServiceMicros);
    point = with(point, "read", times.reads());
    point = with(point, "update", times.updates());
    return with(point, "request", all).with("unanswered", times.unanswered()).withNanos(all);
  }

  private static String title(ServiceWorkload workload) {
    return workload.services().size() == 1
        ? workload.services().getFirst().title()
        : "n=%d, %s".formatted(workload.perRequest(), workload.asking());
  }

  private static Point with(Point point, String what, Histogram nanos) {
    double deviation = nanos.getStdDeviation() / NANOS_PER_MILLI;
    return point.with(
        what + "s", nanos.getTotalCount(),
        what + "MeanMillis", nanos.getMean() / NANOS_PER_MILLI,
        what + "DeviationMillis", deviation,
        what + "ErrorMillis", deviation / Math.sqrt(Math.max(1.0, (double) nanos.getTotalCount())),
        what + "P50Millis", nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        what + "P99Millis", nanos.getValueAtPercentile(99) / NANOS_PER_MILLI);
  }

  private static String meanAndError(Points points, String what) {
    return String.format(
        Locale.ROOT,
        "%.2f ± %.2f",
        points.median(what + "MeanMillis"),
        points.median(what + "ErrorMillis"));
  }

  static Points simulated(Points points) {
    return points.where("source", SIMULATED);
  }

  /** Adds a line of means of a kind of requests, with their errors. */
  static void addMeans(Chart chart, String name, Points line, String x, String requests) {
    chart.add(
        name,
        line.curve(x, requests + "MeanMillis"),
        line.curve(x, requests + "ErrorMillis").values());
  }

  /** Compares what was measured with what was simulated of the same workload and layout. */
  static void compareSources(Page page, Points points, String what, String field) {
    List<Double> ratios = new ArrayList<>();
    for (Point measured : points.where("source", MEASURED).all()) {
      simulated(points).all().stream()
          .filter(point -> isOfSame(point, measured))
          .forEach(point -> ratios.add(measured.number(field) / point.number(field)));
    }
    if (!ratios.isEmpty()) {
      page.compare(what + " measured / simulated", "not simulated", Spread.of(ratios).toString());
    }
  }

  private static boolean isOfSame(Point one, Point other) {
    return List.of("services", "perRequest", "asking", "replicas", "together", "meanServiceMicros")
        .stream()
        .allMatch(field -> one.text(field).equals(other.text(field)));
  }
}
