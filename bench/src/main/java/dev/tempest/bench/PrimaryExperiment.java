package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A primary and one backup, with changes of several sizes that get there by our transport, by a
 * call over HTTP, and by notifications over HTTP (Zhang, Tables III.1 to III.3).
 */
final class PrimaryExperiment {
  private static final String ALONE = "nobody";
  private static final String SOCKET = "socket (Tempest)";
  private static final String CALL = "call";
  private static final String NOTIFICATION = "notification";
  private static final String UNKNOWN = "not measured";
  private static final String CARRIER = "carrier";
  private static final String BYTES = "bytes";
  private static final String P50 = "p50Micros";
  private static final String MEAN = "meanMicros";
  private static final long WARM_UP_REQUESTS = 5_000;
  private static final int WARM_UP_BYTES = 1_000;

  /** What the paper's tables say for 10 B, 100 B and so on. */
  private static final List<Integer> SIZES = List.of(10, 100, 1_000, 10_000, 100_000);

  /**
   * What the paper found.
   *
   * @param requests medians, divided by those without a backup (Table III.3)
   * @param changesMillis medians of changes alone (Table III.1)
   */
  private record Published(String carrier, List<Double> requests, List<Double> changesMillis) {
    static final Published BY_SOCKET =
        new Published(
            SOCKET, List.of(1.0, 1.1, 1.1, 1.3, 4.1), List.of(1.0, 2.0, 2.5, 12.0, 133.0));

    static final List<Published> ALL =
        List.of(
            BY_SOCKET,
            new Published(
                CALL, List.of(1.5, 1.6, 1.7, 1.7, 5.9), List.of(19.5, 19.0, 26.5, 30.0, 209.0)),
            new Published(
                NOTIFICATION,
                List.of(5.5, 5.5, 5.5, 5.4, 5.3),
                List.of(192.5, 189.0, 193.0, 195.5, 190.0)));

    static String request(Published by, int size) {
      return size < 0 ? UNKNOWN : one(by.requests.get(size));
    }

    static String change(Published by, int size) {
      return size < 0
          ? UNKNOWN
          : one(by.changesMillis.get(size) / BY_SOCKET.changesMillis.get(size));
    }
  }

  static final Experiment EXPERIMENT =
      new Experiment(
          "primary-backup",
          List.of(
              Setting.rounds("5"),
              Setting.perRound("0.5").full("5"),
              Setting.numbers("sizes", "10,100,1000,10000,100000", "Bytes of a change.")
                  .within(1, 1_000_000),
              Setting.warmUp("2")),
          PrimaryExperiment::measure,
          PrimaryExperiment::report);

  private PrimaryExperiment() {}

  /** What a client is told: changes of that size. */
  record Changes(LoadPlan plan, int bytes) implements Serializable {}

  private static void measure(Run run) throws IOException, InterruptedException {
    Settings settings = run.settings();
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      List<Asked> all =
          List.of(
              Asked.of(processes, ALONE, new StateCarrier.Nobody()),
              Asked.ofPrimary(processes),
              Asked.of(processes, CALL, call(processes)),
              Asked.of(processes, NOTIFICATION, notification(processes)));
      for (Asked each : all) {
        LoadPlan warmUp = new LoadPlan(1, 0, settings.millis("warm-up"));
        each.changing(WARM_UP_BYTES).warmUp(warmUp, WARM_UP_REQUESTS, run);
      }
      List<Run.Turn> turns = new ArrayList<>();
      LoadPlan plan = new LoadPlan(1, 0, settings.millis("seconds"));
      for (int bytes : settings.numbers("sizes")) {
        for (Asked each : all) {
          Run.Turn turn = each.changing(bytes).under(plan);
          turns.add(() -> turn.measure().with(CARRIER, each.name(), BYTES, bytes));
        }
      }
      run.rounds(settings.number("rounds"), turns);
    }
  }

  private static StateCarrier call(Processes processes) throws IOException, InterruptedException {
    int port = FreePorts.find(1).getFirst();
    var _ = processes.start("backup", new HttpBackup(port, 0));
    return new StateCarrier.Call(port);
  }

  private static StateCarrier notification(Processes processes)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(4);
    int changes = ports.get(0);
    int acknowledgements = ports.get(1);
    int backup = ports.get(2);
    int primary = ports.get(3);
    var _ = processes.start("backup", new HttpBackup(backup, acknowledgements));
    List<HttpBroker.Topic> topics =
        List.of(
            new HttpBroker.Topic(changes, backup), new HttpBroker.Topic(acknowledgements, primary));
    var _ = processes.start("broker", new HttpBroker(topics));
    return new StateCarrier.Notification(changes, primary);
  }

  /** Servers with a client that asks them for changes. */
  private record Asked(String name, Cluster cluster, Child<Changes, Point> client) {
    static Asked of(Processes processes, String name, StateCarrier carrier)
        throws IOException, InterruptedException {
      TempestServer.Hosting hosting = TempestServer.Hosting.carried(carrier);
      Cluster cluster = Cluster.start(processes, 1, hosting);
      return of(processes, name, cluster, TempestServer.BY_CONSENSUS);
    }

    /** With a third server, which says with the others who is primary, and has no copy. */
    static Asked ofPrimary(Processes processes) throws IOException, InterruptedException {
      Cluster cluster = Cluster.start(processes, 3, TempestServer.Hosting.BY_PRIMARY);
      return of(processes, SOCKET, cluster, TempestServer.BY_PRIMARY);
    }

    private static Asked of(Processes processes, String name, Cluster cluster, String service)
        throws IOException, InterruptedException {
      TempestAddress address = cluster.address();
      return new Asked(
          name,
          cluster,
          processes.start(
              "client",
              () -> {
                StoreClient client = new StoreClient(address.usual().build(), service);
                return changes -> client.change(changes.plan(), changes.bytes());
              }));
    }

    Contestant changing(int bytes) {
      List<Child<?, ?>> charged = new ArrayList<>(cluster.servers());
      charged.add(client);
      return new Contestant(
          name, plan -> client.ask(new Changes(plan, bytes), plan.total()), charged);
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    points.by(BYTES).forEach(size -> report(size, page));
    page.chart(
        new Chart(
                Chart.Kind.LINES,
                "primary-backup",
                "A request that changes so much",
                "bytes",
                "microseconds, median")
            .add("%s", points, CARRIER, BYTES, P50),
        "Medians of the rounds.");
    List<Column> columns = new ArrayList<>(Column.medians("p50 us=" + P50, "mean=" + MEAN));
    columns.add(
        new Column("deviation", each -> Spread.number(each.nanos().getStdDeviation() / 1e3)));
    columns.addAll(Column.medians("p99=p99Micros", "processor us=processorMicros"));
    columns.add(new Column("failed", each -> Spread.number(each.spread("failed").highest())));
    page.table(
        "Round trips of requests by what carries the change, us", points, "bytes,carrier", columns);
  }

  private static void report(Points size, Page page) {
    int published = SIZES.indexOf(Integer.parseInt(size.text(BYTES)));
    Points alone = size.where(CARRIER, ALONE);
    double bySocket = size.where(CARRIER, SOCKET).median(P50) - alone.median(P50);
    for (Published paper : Published.ALL) {
      Points carried = size.where(CARRIER, paper.carrier);
      String of = "%s B, %s, ".formatted(size.text(BYTES), paper.carrier);
      page.compare(
          of + "request / without a backup, median",
          Published.request(paper, published),
          one(carried.median(P50) / alone.median(P50)));
      if (!paper.equals(Published.BY_SOCKET)) {
        page.compare(
            of + "what the change takes / by a socket, median",
            Published.change(paper, published),
            bySocket <= 0 ? UNKNOWN : one((carried.median(P50) - alone.median(P50)) / bySocket));
      }
      page.shown(of + "request / without a backup, p50", carried.ratio(P50, alone));
      // On a machine that others use too, the best round is the one that they disturbed least.
      page.shown(
          of + "the same of each one's best round",
          Spread.of(carried.spread(P50).lowest() / alone.spread(P50).lowest()));
      page.shown(of + "request / without a backup, mean", carried.ratio(MEAN, alone));
    }
  }

  private static String one(double ratio) {
    return String.format(Locale.ROOT, "%.1f", ratio);
  }
}
