package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/** The cart on three replicas under more and more clients, after Fig. 4, beside its floors. */
final class CartExperiment {
  private static final String BARE = "bare multicast";
  private static final String BATCHED = "bare multicast, batched";
  private static final String HALF = "tempest, half updates";
  private static final String UPDATES = "tempest, updates only";

  private static final String RATE = "requestsPerSecond";
  private static final String THINK = "thinkMillis";

  private static final int REQUEST_BYTES = 1_024;

  /** What our own answer to an update takes, about. */
  private static final int REPLY_BYTES = 80;

  private static final int THINK_MILLIS = 20;
  private static final int FEW_CLIENTS = 16;
  private static final int COMPARED_CLIENTS = 128;
  private static final int MANY_CLIENTS = 1_024;
  private static final long WARM_UP_REQUESTS = 300_000;

  static final Experiment EXPERIMENT =
      new Experiment(
          "cart",
          List.of(
              Setting.numbers("clients", "1,4,64", "Numbers of clients, beside 16, 128 and 1024.")
                  .full("1,2,4,8,32,64,256,512,800")
                  .within(1, LoadPlan.CLIENTS_MAX),
              Setting.rounds("3").full("5"),
              Setting.perRound("2").full("10"),
              Setting.warmUp("2").full("10"),
              Setting.number("batches", "400", "")),
          CartExperiment::measure,
          CartExperiment::report);

  private CartExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    int millis = run.settings().millis("seconds");
    SortedSet<Integer> clients = new TreeSet<>(run.settings().numbers("clients"));
    clients.addAll(List.of(FEW_CLIENTS, COMPARED_CLIENTS, MANY_CLIENTS));
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.USUAL);
      Contestant bare = floor(Floor.Mode.SELECTING).start(BARE, processes);
      Contestant batched = floor(Floor.Mode.BATCHING).start(BATCHED, processes);
      TempestAddress address = cluster.address();
      Contestant half =
          cluster.client(processes, HALF, () -> new CartClient(address, REQUEST_BYTES, 50));
      Contestant updates =
          cluster.client(processes, UPDATES, () -> new CartClient(address, REQUEST_BYTES, 100));
      LoadPlan compared = new LoadPlan(COMPARED_CLIENTS, 0, millis);
      LoadPlan warmUp = new LoadPlan(COMPARED_CLIENTS, 0, run.settings().millis("warm-up"));
      for (Contestant each : List.of(bare, batched, half, updates)) {
        each.warmUp(warmUp, WARM_UP_REQUESTS, run);
      }
      // Whoever thinks comes after the floors: overload has an end, but not at once.
      List<Run.Turn> turns =
          new ArrayList<>(List.of(bare.under(compared), batched.under(compared)));
      for (int thinkMillis : List.of(THINK_MILLIS, 0)) {
        clients.forEach(count -> turns.add(half.under(new LoadPlan(count, thinkMillis, millis))));
      }
      turns.add(updates.under(compared));
      run.rounds(run.settings().number("rounds"), turns);
    }
    int batches = run.settings().number("batches");
    for (int times = 0; times < 3; times++) {
      var _ =
          DataAccess.measure(1, batches); // For the compiler, which sees new services each time.
    }
    for (int count : clients) {
      run.say("data access, %d clients".formatted(count));
      run.add(DataAccess.measure(count, batches));
    }
  }

  private static Floor floor(Floor.Mode mode) {
    return Floor.multicast(Cluster.REPLICAS, REQUEST_BYTES, REPLY_BYTES, mode);
  }

  private static void report(Points points, Settings settings, Page page) {
    Points half = points.where("system", HALF);
    Points access = points.having("accessMicros");
    claims(page, half.where(THINK, THINK_MILLIS), access);
    Chart times =
        new Chart(
            Chart.Kind.LINES,
            "cart-interaction-time",
            "Cart on three replicas: interaction time",
            "clients",
            "microseconds");
    Chart rates =
        new Chart(
            Chart.Kind.LINES,
            "cart-requests",
            "Cart on three replicas: requests per second",
            "clients",
            "requests per second");
    times.add("p50, think time %s ms", half, THINK, "clients", "p50Micros");
    times.add("p99, think time %s ms", half, THINK, "clients", "p99Micros");
    rates.add("think time %s ms", half, THINK, "clients", RATE);
    page.chart(times, "");
    page.chart(rates, "");
    page.table(
        "Requests of %,d B, medians of the rounds".formatted(REQUEST_BYTES),
        points.having("round"),
        "system,thinkMillis,clients",
        Contestant.COLUMNS);
    page.table(
        "Of it data access (place in the order, execution, index) in one replica",
        access,
        "clients",
        Column.medians("update us=updateMicros", "read us=readMicros"));
    goals(page, points, half);
  }

  private static void claims(Page page, Points thinking, Points access) {
    Spread micros = access.spread("accessMicros");
    page.compare(
        "time in the data with the most of it / with the least, over all numbers of clients",
        "about 1: the same whatever the number of clients",
        String.format(Locale.ROOT, "%.1f", micros.highest() / micros.lowest()));
    page.compare(
        thinking.ends("mean interaction time with %s clients / with %s", "clients"),
        "grows least of all systems; no number in the text",
        thinking.growth("clients", "meanMicros"));
  }

  private static void goals(Page page, Points points, Points half) {
    Points bare = points.where("system", BARE);
    Points thinking = half.where(THINK, THINK_MILLIS);
    Points busy = half.where(THINK, 0);
    Points compared = busy.where("clients", COMPARED_CLIENTS);
    page.atLeast(0.75, "requests/s, half updates / bare multicast", compared.ratio(RATE, bare));
    page.shown(
        "requests/s, half updates / bare multicast, batched",
        compared.ratio(RATE, points.where("system", BATCHED)));
    page.shown(
        "requests/s, updates only / bare multicast",
        points.where("system", UPDATES).ratio(RATE, bare));
    page.atLeast(
        0.9,
        "requests/s, half updates, 1,024 clients / 128",
        busy.where("clients", MANY_CLIENTS).ratio(RATE, compared));
    page.atMost(
        3,
        "p99, clients that think 20 ms, 1,024 / 16",
        thinking
            .where("clients", MANY_CLIENTS)
            .ratio("p99Micros", thinking.where("clients", FEW_CLIENTS)));
  }
}
