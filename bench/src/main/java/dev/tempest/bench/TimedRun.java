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
import org.HdrHistogram.Histogram;

/**
 * A run of services that take time: in the simulator, and on real servers for what this machine
 * holds.
 *
 * @param together whether each server hosts all services that are asked; otherwise each replica has
 *     a server to itself
 */
record TimedRun(Run run, boolean together) {
  /** All that the paper has. */
  static final List<ServiceKind> SEVEN = List.of(ServiceKind.values());

  static final List<Column> COLUMNS = columns();

  private static final String SIMULATED = "simulated";
  private static final String MEASURED = "measured";
  private static final int WARM_UP_SHARE = 10;
  private static final Duration LONG = Duration.ofMinutes(10);

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

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("reads, ms", points -> meanAndError(points, "read")));
    columns.add(new Column("updates, ms", points -> meanAndError(points, "update")));
    columns.addAll(Column.medians("p50=requestP50Millis", "p99=requestP99Millis", "unanswered"));
    return columns;
  }

  /** The numbers of real servers; none if all is only simulated. */
  static List<Integer> servers(Run run) {
    return run.settings().is(SIMULATED) ? List.of() : run.settings().numbers("servers");
  }

  /**
   * Simulates one point.
   *
   * @param meanServiceMicros what executing a method takes, on average
   */
  void simulate(ServiceWorkload workload, int replicas, int meanServiceMicros) throws IOException {
    run.say("simulating %d replicas: %s".formatted(replicas, title(workload)));
    var plan = plan(workload, replicas, meanServiceMicros, "virtual-seconds");
    ServiceExperiment.Result result = ServiceExperiment.run(plan);
    Histogram reads = histogram(result.readNanos());
    Histogram updates = histogram(result.updateNanos());
    run.add(about(plan, SIMULATED, TimedClient.result(reads, updates, result.unanswered())));
  }

  /** Measures workloads on real servers, each of which hosts all services. */
  void measure(List<ServiceWorkload> workloads, int servers, int meanServiceMicros)
      throws IOException, InterruptedException {
    run.say("starting %d servers".formatted(servers));
    try (Processes processes = new Processes(run.log())) {
      var hosting = new TempestServer.Hosting(100, false, meanServiceMicros * 1_000L);
      Cluster cluster = Cluster.start(processes, servers, hosting);
      var client = processes.start("clients", TimedClient.program(cluster.address()));
      // The first time to no purpose but that all is loaded and compiled.
      var _ = client.ask(plan(workloads.getLast(), servers, meanServiceMicros, "seconds"), LONG);
      for (ServiceWorkload workload : workloads) {
        run.say("measuring %d servers: %s".formatted(servers, title(workload)));
        var plan = plan(workload, servers, meanServiceMicros, "seconds");
        run.add(about(plan, MEASURED, client.ask(plan, LONG)).onThisMachine());
      }
    }
  }

  /** A tenth more comes before requests count. */
  private ServiceExperiment.Settings plan(
      ServiceWorkload workload, int replicas, int meanServiceMicros, String time) {
    int millis = run.settings().millis(time);
    return new ServiceExperiment.Settings(
        workload,
        replicas,
        together,
        meanServiceMicros * 1_000L,
        millis / WARM_UP_SHARE,
        millis,
        run.settings().number("seed"));
  }

  private static Histogram histogram(long[] nanos) {
    Histogram histogram = new Histogram(Point.SIGNIFICANT_DIGITS);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }

  private static Point about(ServiceExperiment.Settings plan, String source, Point point) {
    ServiceWorkload workload = plan.workload();
    return point.with(
        "source", source,
        "services", workload.services().toString(),
        "title", title(workload),
        "perRequest", workload.perRequest(),
        "clients", workload.clients(),
        "everyMillis", workload.everyMillis(),
        "asking", workload.asking().toString(),
        "replicas", plan.replicas(),
        "together", plan.together(),
        "meanServiceMicros", Math.toIntExact(plan.meanServiceNanos() / 1_000));
  }

  private static String title(ServiceWorkload workload) {
    return workload.services().size() == 1
        ? workload.services().getFirst().title()
        : "n=%d, %s".formatted(workload.perRequest(), workload.asking());
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

  /** Compares what was measured with what was simulated of the same workload and layout. */
  static void compareSources(Page page, Points points, String what, String field) {
    List<Double> ratios = new ArrayList<>();
    String same = "services,perRequest,asking,replicas,together,meanServiceMicros";
    for (Points each : points.by(same)) {
      List<Double> measured = each.where("source", MEASURED).numbers(field);
      List<Double> simulated = simulated(each).numbers(field);
      if (!measured.isEmpty() && !simulated.isEmpty()) {
        ratios.add(measured.getFirst() / simulated.getFirst());
      }
    }
    if (!ratios.isEmpty()) {
      page.compare(what + " measured / simulated", "not simulated", Spread.of(ratios).toString());
    }
  }
}
