package dev.tempest.bench.tempest;

import dev.tempest.bench.Chart;
import dev.tempest.bench.Experiment;
import dev.tempest.bench.Page;
import dev.tempest.bench.Point;
import dev.tempest.bench.Points;
import dev.tempest.bench.Run;
import dev.tempest.bench.Setting;
import dev.tempest.bench.Settings;
import dev.tempest.bench.Spread;
import dev.tempest.bench.Table.Column;
import dev.tempest.bench.Turn;
import dev.tempest.bench.floor.Floor;
import dev.tempest.bench.floor.FloorMode;
import dev.tempest.bench.load.Contestant;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Processes;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The cart on three replicas under more and more clients, after Fig. 4 of the Tempest paper
 * (Marian, Balakrishnan, Birman, van Renesse; DSN 2008), with the paper's think time and without.
 *
 * <p>Before that, in rounds: at one number of clients without think time beside the same exchange
 * without any protocol, and beside itself with many more clients.
 */
public final class CartExperiment {
  private static final String CURVE = "tempest";
  private static final String BARE = "bare multicast";
  private static final String BATCHED = "bare multicast, batched";
  private static final String SYSTEM = "bare multicast, recvmmsg";
  private static final String HALF = "tempest, half updates";
  private static final String UPDATES = "tempest, updates only";
  private static final String MANY = "half, 1,024 clients";
  private static final String FEW_THINK = "half, 16 clients think";
  private static final String MANY_THINK = "half, 1,024 clients think";
  private static final String DATA_ACCESS = "data access";

  private static final String RATE = "requestsPerSecond";

  private static final int REQUEST_BYTES = 1_024;

  /** What our own answer to an update takes, about. */
  private static final int REPLY_BYTES = 80;

  private static final int THINK_MILLIS = 20;
  private static final int COMPARED_CLIENTS = 128;
  private static final int FEW_CLIENTS = 16;
  private static final int MANY_CLIENTS = 1_024;
  private static final int ACCESSES = 40_000;
  private static final long WARM_UP_REQUESTS = 300_000;
  private static final int WARM_UP_TIMES_MAX = 5;

  /** All of it. */
  public static final Experiment EXPERIMENT =
      new Experiment(
          "cart",
          List.of(
              Setting.numbers(
                      "clients",
                      "1,4,16,64,128,1024",
                      "The numbers of clients, with commas between.")
                  .full("1,2,4,8,16,32,64,128,256,512,800,1024")
                  .within(1, LoadPlan.CLIENTS_MAX),
              Setting.rounds("5").full("7"),
              Setting.perRound("2").full("5"),
              Setting.seconds("warm-up", "0.5", "").full("20"),
              Setting.seconds("measured", "2", "").full("20"),
              Setting.seconds("cool-down", "0", "").full("20").within(0, 100)),
          CartExperiment::measure,
          CartExperiment::report);

  private CartExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      run.say("starting");
      Cluster cluster = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.USUAL);
      Contestant bare = bare(processes, BARE, FloorMode.SELECTING);
      Contestant batched = bare(processes, BATCHED, FloorMode.BATCHING);
      Contestant system = bare(processes, SYSTEM, FloorMode.SYSTEM_BATCHING);
      Contestant half = client(processes, cluster, HALF, 50);
      Contestant updates = client(processes, cluster, UPDATES, 100);
      LoadPlan plan = plan(COMPARED_CLIENTS, 0, run.settings());
      for (Contestant each : List.of(bare, batched, system, half, updates)) {
        warmUp(each, plan, run);
      }
      LoadPlan fewThink = plan(FEW_CLIENTS, THINK_MILLIS, run.settings());
      LoadPlan manyThink = plan(MANY_CLIENTS, THINK_MILLIS, run.settings());
      // Whoever thinks comes after the floors: overload has an end, but not at once.
      List<Turn> turns =
          List.of(
              bare.under(plan),
              batched.under(plan),
              system.under(plan),
              half.as(FEW_THINK).under(fewThink),
              half.as(MANY_THINK).under(manyThink),
              half.under(plan),
              half.as(MANY).under(plan(MANY_CLIENTS, 0, run.settings())),
              updates.under(plan));
      run.rounds(run.settings().number("rounds"), turns);
      Contestant curve = client(processes, cluster, CURVE, 50);
      warmUp(curve, plan, run);
      measureCurve(curve, run);
      measureDataAccess(run);
    }
  }

  private static Contestant bare(Processes processes, String name, FloorMode mode)
      throws IOException, InterruptedException {
    return Floor.bareMulticast(processes, name, Cluster.REPLICAS, REQUEST_BYTES, REPLY_BYTES, mode);
  }

  private static Contestant client(
      Processes processes, Cluster cluster, String name, int updatePercent)
      throws IOException, InterruptedException {
    CartClient program = new CartClient(cluster.address(), REQUEST_BYTES, updatePercent);
    return cluster.client(processes, name, program);
  }

  private static void warmUp(Contestant contestant, LoadPlan plan, Run run)
      throws IOException, InterruptedException {
    run.say("warming up: " + contestant.system());
    contestant.warmUp(plan, WARM_UP_REQUESTS, WARM_UP_TIMES_MAX);
  }

  /** A tenth more before it is measured, so that all clients are under way. */
  private static LoadPlan plan(int clients, int thinkMillis, Settings settings) {
    int millis = settings.millis("seconds");
    return new LoadPlan(clients, thinkMillis, millis / 10, millis, 0);
  }

  private static void measureCurve(Contestant curve, Run run)
      throws IOException, InterruptedException {
    Settings settings = run.settings();
    for (int thinkMillis : List.of(THINK_MILLIS, 0)) {
      for (int clients : settings.numbers("clients")) {
        run.say("%d clients, thinking %d ms".formatted(clients, thinkMillis));
        LoadPlan plan =
            new LoadPlan(
                clients,
                thinkMillis,
                settings.millis("warm-up"),
                settings.millis("measured"),
                settings.millis("cool-down"));
        run.add(curve.measure(plan));
      }
    }
  }

  private static void measureDataAccess(Run run) throws IOException {
    // For the compiler, which sees new services each time.
    for (int times = 0; times < 3; times++) {
      DataAccess.measure(1, ACCESSES);
    }
    for (int clients : run.settings().numbers("clients")) {
      run.say("data access, %d clients".formatted(clients));
      DataAccess.Result access = DataAccess.measure(clients, ACCESSES);
      run.add(
          Point.of(
              "system",
              DATA_ACCESS,
              "clients",
              clients,
              "updateMicros",
              access.updateMicros(),
              "readMicros",
              access.readMicros(),
              "accessMicros",
              (access.updateMicros() + access.readMicros()) / 2));
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points curve = points.where("system", CURVE);
    Points access = points.where("system", DATA_ACCESS);
    Points compared = points.having("round");
    claims(page, curve.where("thinkMillis", THINK_MILLIS), access);
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
    for (Points think : curve.by("thinkMillis")) {
      String thinkTime = "think time %s ms".formatted(think.text("thinkMillis"));
      times.add("p50, " + thinkTime, think.curve("clients", "p50Micros"));
      times.add("p99, " + thinkTime, think.curve("clients", "p99Micros"));
      rates.add(thinkTime, think.curve("clients", RATE));
    }
    page.chart(times, "");
    page.chart(rates, "");
    page.table(
        "Requests of %,d B, half updates".formatted(REQUEST_BYTES),
        curve,
        "thinkMillis,clients",
        Contestant.COLUMNS);
    page.table(
        "Of it data access (place in the order, execution, index) in one replica",
        access,
        "clients",
        Column.medians("update us=updateMicros", "read us=readMicros"));
    page.table(
        "Beside the exchange without any protocol, medians of the rounds",
        compared,
        "system,clients",
        Contestant.COLUMNS);
    goals(page, compared);
  }

  private static void claims(Page page, Points thinking, Points access) {
    Spread micros = access.spread("accessMicros");
    page.compare(
        "time in the data with the most of it / with the least, over all numbers of clients",
        "about 1: the same whatever the number of clients",
        String.format(Locale.ROOT, "%.1f", micros.highest() / micros.lowest()));
    Point few = thinking.all().getFirst();
    Point many = thinking.all().getLast();
    page.compare(
        "interaction time with %s clients / with %s"
            .formatted(many.text("clients"), few.text("clients")),
        "grows least of all systems; no number in the text",
        String.format(
            Locale.ROOT, "%.1f (means)", many.number("meanMicros") / few.number("meanMicros")));
  }

  private static void goals(Page page, Points compared) {
    Points bare = compared.where("system", BARE);
    Points half = compared.where("system", HALF);
    page.atLeast(0.75, "requests/s, half updates / bare multicast", half.ratio(RATE, bare));
    page.atLeast(
        0.75,
        "requests/s, half updates / bare multicast by recvmmsg",
        half.ratio(RATE, compared.where("system", SYSTEM)));
    page.shown(
        "requests/s, updates only / bare multicast",
        compared.where("system", UPDATES).ratio(RATE, bare));
    page.atLeast(
        0.9,
        "requests/s, half updates, 1,024 clients / 128",
        compared.where("system", MANY).ratio(RATE, half));
    Points few = compared.where("system", FEW_THINK);
    page.atMost(
        3,
        "p99, clients that think 20 ms, 1,024 / 16",
        compared.where("system", MANY_THINK).ratio("p99Micros", few));
  }
}
