package dev.tempest.bench;

import dev.tempest.FrontEndConfig;
import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * How long clients wait for an update with classic ballots and with fast ones, and how often
 * updates collide (Zhang, Figures V.11 to V.13).
 */
final class BallotsExperiment {
  private static final String CLASSIC = "classic, 3 servers";
  private static final String FAST = "fast, 4 servers";
  private static final String FAST_OF_THREE = "fast, 3 servers";
  private static final String BARE = "bare exchange, all 3 answer";

  private static final String NEAR = "near";
  private static final String CLIENTS_FAR = "clients-far";
  private static final String REPLICAS_FAR = "replicas-far";

  private static final String PLACE = "place";
  private static final String SYSTEM = "system";
  private static final String CLIENTS = "clients";
  private static final String AGAIN = "executedAgain";
  private static final String P50 = "p50Micros";

  private static final String CLIENT_MILLIS = "client-millis";
  private static final String REPLICA_MILLIS = "replica-millis";
  private static final String JITTER = "jitter-micros";
  private static final String FAR_SECONDS = "far-seconds";
  private static final Duration FAR_RETRY_AFTER = Duration.ofSeconds(1);
  private static final Duration ASK_MAX = Duration.ofSeconds(10);

  private static final int FAST_SERVERS = 4;
  private static final long WARM_UP_REQUESTS = 20_000;
  private static final long WARM_UP_REQUESTS_FAR = 500;
  private static final int CURVE_STEPS = 100;

  static final Experiment EXPERIMENT =
      new Experiment(
          "ballots",
          List.of(
              Setting.words(
                  PLACE, String.join(",", NEAR, CLIENTS_FAR, REPLICAS_FAR), "Who is where."),
              Setting.rounds("3"),
              Setting.perRound("0.5").full("5"),
              Setting.seconds(FAR_SECONDS, "2", "The same where somebody is far away.").full("20"),
              Setting.numbers(CLIENTS, "1,2,4,6,8", "Clients.").within(1, 1_000),
              Setting.number(CLIENT_MILLIS, "35", "How far clients are: one way, in milliseconds.")
                  .within(0, 10_000),
              Setting.number(REPLICA_MILLIS, "18", "How far servers are: one way, in milliseconds.")
                  .within(0, 10_000),
              Setting.number(JITTER, "500", "What a way takes more on average, in microseconds.")
                  .within(0, 10_000_000),
              Setting.warmUp("2")),
          BallotsExperiment::measure,
          BallotsExperiment::report);

  private BallotsExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    for (String place : run.settings().words(PLACE)) {
      try (Processes processes = new Processes(run.log())) {
        run.say("starting, " + place);
        measure(run, place, processes);
      }
    }
  }

  private static void measure(Run run, String place, Processes processes)
      throws IOException, InterruptedException {
    Settings settings = run.settings();
    boolean isFar = !place.equals(NEAR);
    List<Asked> all = new ArrayList<>();
    all.add(Asked.of(CLASSIC, Cluster.REPLICAS, place, settings, processes));
    all.add(Asked.of(FAST, FAST_SERVERS, place, settings, processes));
    all.add(Asked.of(FAST_OF_THREE, Cluster.REPLICAS, place, settings, processes));
    LoadPlan warmUp = new LoadPlan(1, 0, settings.millis("warm-up"));
    for (Asked each : all) {
      each.contestant().warmUp(warmUp, isFar ? WARM_UP_REQUESTS_FAR : WARM_UP_REQUESTS, run);
    }
    List<Run.Turn> turns = new ArrayList<>();
    int millis = settings.millis(isFar ? FAR_SECONDS : "seconds");
    if (!isFar) {
      Contestant bare =
          Floor.multicast(
                  Cluster.REPLICAS, StoreClient.BYTES, StoreClient.BYTES, Floor.Mode.BLOCKING)
              .answeredBy(Cluster.REPLICAS)
              .start(BARE, processes);
      bare.warmUp(warmUp, WARM_UP_REQUESTS, run);
      turns.add(() -> bare.under(new LoadPlan(1, 0, millis)).measure().with(PLACE, place));
    }
    for (int clients : settings.numbers(CLIENTS)) {
      LoadPlan plan = new LoadPlan(clients, 0, millis);
      for (Asked each : all) {
        turns.add(() -> each.measure(plan).with(PLACE, place));
      }
    }
    run.rounds(settings.number("rounds"), turns);
  }

  private static Delay delay(Settings settings, String way) {
    return new Delay(settings.number(way), settings.number(JITTER) / 1e3);
  }

  /** Servers with a client that has them execute updates. */
  private record Asked(Cluster cluster, Contestant contestant) {
    static Asked of(
        String system, int servers, String place, Settings settings, Processes processes)
        throws IOException, InterruptedException {
      TempestServer.Hosting hosting =
          system.equals(CLASSIC)
              ? TempestServer.Hosting.STATE_MACHINE
              : TempestServer.Hosting.FAST_STATE_MACHINE;
      boolean isFar = !place.equals(NEAR);
      Cluster cluster =
          place.equals(REPLICAS_FAR)
              ? Cluster.startApart(processes, servers, hosting, delay(settings, REPLICA_MILLIS))
              : Cluster.start(processes, servers, hosting);
      TempestAddress address =
          isFar ? cluster.far(processes, delay(settings, CLIENT_MILLIS)) : cluster.address();
      return new Asked(
          cluster,
          cluster.client(
              processes,
              system,
              () -> {
                FrontEndConfig.Builder config = address.usual();
                if (isFar) {
                  config.retryAfter(FAR_RETRY_AFTER); // Else it asks again before any answer.
                }
                return new StoreClient(config.build(), TempestServer.BY_CONSENSUS)
                    .doing(StoreWork.WRITE);
              }));
    }

    /** How many more executions than one each server needs for an update. */
    Point measure(LoadPlan plan) throws IOException, InterruptedException {
      long before = executed();
      Point point = contestant.under(plan).measure();
      double each = (double) (executed() - before) / cluster.servers().size();
      return point.with(AGAIN, Math.max(0, each / Math.max(1, point.number("answered")) - 1));
    }

    private long executed() throws IOException, InterruptedException {
      long sum = 0;
      for (Child<String, Long> server : cluster.servers()) {
        sum += server.ask(TempestServer.EXECUTED, ASK_MAX);
      }
      return sum;
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    for (Points at : points.by(PLACE)) {
      String place = at.text(PLACE);
      Points one = at.by(CLIENTS).getFirst();
      if (place.equals(NEAR)) {
        page.atMost(
            1.5,
            "p50 of an update, one client, near, %s / %s".formatted(FAST_OF_THREE, BARE),
            one.where(SYSTEM, FAST_OF_THREE).ratio(P50, one.where(SYSTEM, BARE)));
      }
      String found =
          switch (place) {
            case NEAR -> "below 1";
            case CLIENTS_FAR -> "above 1 from Germany, about 1 from Princeton";
            default -> "not measured";
          };
      for (String fast : List.of(FAST, FAST_OF_THREE)) {
        page.compare(
            "%s, p50 of an update, %s / %s".formatted(place, fast, CLASSIC),
            found,
            one.where(SYSTEM, fast).ratio(P50, one.where(SYSTEM, CLASSIC)).toString());
      }
      chart(page, place, one);
      List<Column> columns = new ArrayList<>(Contestant.COLUMNS);
      columns.addAll(Column.medians("executed again=" + AGAIN));
      page.table("Updates, " + place, at, "clients,system", columns);
    }
    Points near = points.where(PLACE, NEAR).where(SYSTEM, FAST);
    if (!near.isEmpty()) {
      page.compare(
          "near, part of the updates that a server executes again, %s".formatted(FAST),
          "more collisions with more clients",
          near.by(CLIENTS).stream()
              .map(each -> each.text(CLIENTS) + ": " + two(each.median(AGAIN)))
              .toList()
              .toString());
    }
  }

  private static String two(double number) {
    return String.format(Locale.ROOT, "%.3f", number);
  }

  private static void chart(Page page, String place, Points one) {
    Chart chart =
        new Chart(
            Chart.Kind.LINES_FROM_ZERO,
            "ballots-" + place,
            "Updates of one client, " + place,
            "milliseconds",
            "part of all");
    for (Points system : one.by(SYSTEM)) {
      chart.add(system.text(SYSTEM), curve(system));
    }
    page.chart(chart, "How many updates are answered within a time: " + place + ".");
  }

  /** Without the slowest hundredth, which would make all others one line. */
  private static Map<Double, Double> curve(Points system) {
    Histogram nanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    system.all().forEach(each -> nanos.add(each.nanos()));
    Map<Double, Double> curve = new TreeMap<>();
    for (int percent = 1; percent < CURVE_STEPS; percent++) {
      double millis = nanos.getValueAtPercentile(percent) / 1e6;
      curve.put(millis, (double) percent / CURVE_STEPS);
    }
    return curve;
  }
}
