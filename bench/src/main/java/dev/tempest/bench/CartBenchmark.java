package dev.tempest.bench;

import dev.tempest.bench.floor.FloorMode;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.tempest.CartClient;
import dev.tempest.bench.tempest.DataAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The cart on three replicas under more and more clients, after Fig. 4 of the Tempest paper
 * (Marian, Balakrishnan, Birman, van Renesse; DSN 2008): requests of 1,024 B, half of them updates,
 * on 1,024 items whose popularity follows Zipf's law; gossip every 100 ms; with the paper's think
 * time of 20 ms and without.
 *
 * <p>Before that, in rounds: at one number of clients without think time beside the same exchange
 * without any protocol, and beside itself with many more clients.
 */
public final class CartBenchmark {
  private static final String NAME = "cart";
  private static final String CURVE = "tempest";
  private static final String BARE = "bare multicast";
  private static final String BATCHED = "bare multicast, batched";
  private static final String SYSTEM = "bare multicast, recvmmsg";
  private static final String HALF = "tempest, half updates";
  private static final String UPDATES = "tempest, updates only";
  private static final String MANY = "half, 1,024 clients";
  private static final String FEW_THINK = "half, 16 clients think";
  private static final String MANY_THINK = "half, 1,024 clients think";
  private static final List<String> COMPARED =
      List.of(BARE, BATCHED, SYSTEM, FEW_THINK, MANY_THINK, HALF, MANY, UPDATES);

  private static final String TIMES_PICTURE = "cart-interaction-time.svg";
  private static final String REQUESTS_PICTURE = "cart-requests.svg";

  private static final int REQUEST_BYTES = 1_024;

  /** What our own answer to an update takes, about. */
  private static final int REPLY_BYTES = 80;

  private static final int THINK_MILLIS = 20;
  private static final int FEW_CLIENTS = 16;
  private static final int MANY_CLIENTS = 1_024;

  /** To measure data access by. */
  private static final int ACCESSES = 40_000;

  private static final long WARM_UP_REQUESTS = 300_000;
  private static final int WARM_UP_TIMES_MAX = 5;

  /** What is compared in each round: a system under a load. */
  private record Entrant(Contestant contestant, LoadPlan plan) {
    /** The same processes under another load, and another name. */
    Entrant under(String name, LoadPlan other) {
      return new Entrant(new Contestant(name, contestant.client(), contestant.servers()), other);
    }
  }

  private CartBenchmark() {}

  /**
   * How to run it. Immutable.
   *
   * @param clients the numbers of clients
   * @param warmUp loaded before each point is measured
   * @param measured for each point
   * @param coolDown loaded after each point was measured
   * @param rounds how often floor and servers are compared
   * @param perRound how long each of them runs in a round
   * @param comparedClients how many clients in the comparison
   * @param folder where results go; if null, a new one in {@code bench-results}
   */
  public record Options(
      List<Integer> clients,
      Duration warmUp,
      Duration measured,
      Duration coolDown,
      int rounds,
      Duration perRound,
      int comparedClients,
      @Nullable Path folder) {

    /** Checks the limits. */
    public Options {
      clients = List.copyOf(clients);
      if (clients.isEmpty() || rounds < 1 || perRound.toMillis() < 1) {
        throw new IllegalArgumentException("need a number of clients, a round, 1 ms per round");
      }
      clients.forEach(count -> new LoadPlan(count, THINK_MILLIS, 0, 1, 0));
      if (warmUp.isNegative() || measured.toMillis() < 1 || coolDown.isNegative()) {
        throw new IllegalArgumentException("need 1 ms to measure and no negative times");
      }
    }

    /** Less than three minutes. */
    public static Options defaults() {
      return new Options(
          List.of(1, 4, 16, 64, 128, 1_024),
          Duration.ofMillis(500),
          Duration.ofSeconds(2),
          Duration.ZERO,
          5,
          Duration.ofSeconds(2),
          128,
          null);
    }

    /** The paper's times and numbers of clients; about 25 minutes. */
    public static Options full() {
      Duration twenty = Duration.ofSeconds(20);
      return new Options(
          List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 800, 1_024),
          twenty,
          twenty,
          twenty,
          7,
          Duration.ofSeconds(5),
          128,
          null);
    }

    /** The same with results in another folder. */
    public Options withFolder(Path path) {
      return new Options(
          clients, warmUp, measured, coolDown, rounds, perRound, comparedClients, path);
    }

    /** The same with other numbers of clients. */
    public Options withClients(List<Integer> counts) {
      return new Options(
          counts, warmUp, measured, coolDown, rounds, perRound, comparedClients, folder);
    }

    /** The same with other times for each point. */
    public Options withTimes(Duration before, Duration during, Duration after) {
      return new Options(clients, before, during, after, rounds, perRound, comparedClients, folder);
    }

    /** The same with another comparison. */
    public Options withRounds(int count, Duration each) {
      return new Options(clients, warmUp, measured, coolDown, count, each, comparedClients, folder);
    }
  }

  /**
   * Runs it and prints the tables.
   *
   * @throws IOException if a process does not start or fails; the processes' log in the folder of
   *     results says why
   */
  public static void run(Options options, PrintWriter out)
      throws IOException, InterruptedException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder());
        Processes processes = new Processes(results.log())) {
      Progress progress = new Progress(out);
      progress.say("starting");
      Processes.Cluster cluster = processes.tempest();
      List<Contestant> compared =
          List.of(
              processes.bareMulticast(BARE, REQUEST_BYTES, REPLY_BYTES, FloorMode.SELECTING),
              processes.bareMulticast(BATCHED, REQUEST_BYTES, REPLY_BYTES, FloorMode.BATCHING),
              processes.bareMulticast(
                  SYSTEM, REQUEST_BYTES, REPLY_BYTES, FloorMode.SYSTEM_BATCHING),
              cartClient(HALF, processes, cluster, 50),
              cartClient(UPDATES, processes, cluster, 100));
      for (Contestant contestant : compared) {
        progress.say("warming up: " + contestant.name());
        warmUp(contestant, options);
      }
      compare(entrants(compared, options), options, results, progress);
      Contestant curve = cartClient(CURVE, processes, cluster, 50);
      progress.say("warming up");
      warmUp(curve, options);
      measureCurve(curve, options, results, progress);
      List<DataAccess.Result> accesses = dataAccess(options, results, progress);
      progress.clear();
      report(results, accesses, options, out);
    }
  }

  private static Contestant cartClient(
      String name, Processes processes, Processes.Cluster cluster, int updatePercent)
      throws IOException, InterruptedException {
    return processes.tempestClient(name, CartClient.class, cluster, REQUEST_BYTES, updatePercent);
  }

  private static void measureCurve(
      Contestant contestant, Options options, ResultFolder results, Progress progress)
      throws IOException, InterruptedException {
    for (int thinkMillis : List.of(THINK_MILLIS, 0)) {
      for (int clients : options.clients()) {
        progress.say("%d clients, thinking %d ms".formatted(clients, thinkMillis));
        LoadPlan plan =
            new LoadPlan(
                clients,
                thinkMillis,
                Math.toIntExact(options.warmUp().toMillis()),
                Math.toIntExact(options.measured().toMillis()),
                Math.toIntExact(options.coolDown().toMillis()));
        results.add(contestant.measure(NAME, plan, 0));
      }
    }
  }

  private static List<DataAccess.Result> dataAccess(
      Options options, ResultFolder results, Progress progress) throws IOException {
    // For the compiler, which sees new services each time.
    for (int times = 0; times < 3; times++) {
      DataAccess.measure(1, ACCESSES);
    }
    List<DataAccess.Result> accesses = new ArrayList<>();
    for (int clients : options.clients()) {
      progress.say("data access, %d clients".formatted(clients));
      DataAccess.Result access = DataAccess.measure(clients, ACCESSES);
      accesses.add(access);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("benchmark", NAME);
      fields.put("system", "data access");
      fields.put("clients", clients);
      fields.put("update_us", access.updateMicros());
      fields.put("read_us", access.readMicros());
      results.addLine(JsonLine.of(fields));
    }
    return accesses;
  }

  /** Whoever thinks comes after the floors: overload has an end, but not at once. */
  private static List<Entrant> entrants(List<Contestant> compared, Options options) {
    LoadPlan plan = plan(options.comparedClients(), 0, options);
    Map<String, Entrant> byName = new LinkedHashMap<>();
    compared.forEach(each -> byName.put(each.name(), new Entrant(each, plan)));
    Entrant half = Objects.requireNonNull(byName.get(HALF));
    byName.put(MANY, half.under(MANY, plan(MANY_CLIENTS, 0, options)));
    byName.put(FEW_THINK, half.under(FEW_THINK, plan(FEW_CLIENTS, THINK_MILLIS, options)));
    byName.put(MANY_THINK, half.under(MANY_THINK, plan(MANY_CLIENTS, THINK_MILLIS, options)));
    return COMPARED.stream().map(name -> Objects.requireNonNull(byName.get(name))).toList();
  }

  private static void compare(
      List<Entrant> entrants, Options options, ResultFolder results, Progress progress)
      throws IOException, InterruptedException {
    for (int round = 0; round < options.rounds(); round++) {
      for (Entrant entrant : entrants) {
        Contestant contestant = entrant.contestant();
        progress.say("round %d of %d: ".formatted(round + 1, options.rounds()) + contestant.name());
        results.add(contestant.measure(NAME, entrant.plan(), round));
      }
    }
  }

  private static void warmUp(Contestant contestant, Options options)
      throws IOException, InterruptedException {
    LoadPlan plan = plan(options.comparedClients(), 0, options);
    contestant.warmUp(plan, WARM_UP_REQUESTS, WARM_UP_TIMES_MAX);
  }

  /** A tenth more before it is measured, so that all clients are under way. */
  private static LoadPlan plan(int clients, int thinkMillis, Options options) {
    int millis = Math.toIntExact(options.perRound().toMillis());
    return new LoadPlan(clients, thinkMillis, millis / 10, millis, 0);
  }

  private static void report(
      ResultFolder results, List<DataAccess.Result> accesses, Options options, PrintWriter out)
      throws IOException {
    out.printf(
        "Cart on %d replicas, requests of %,d B, half updates; interaction time, microseconds%n",
        Processes.REPLICAS, REQUEST_BYTES);
    out.printf(
        "%8s %8s %10s %10s %10s %10s %11s %10s%n",
        "clients", "think", "mean", "p50", "p99", "max", "requests/s", "processor");
    for (Measurement point : results.of(CURVE)) {
      out.printf(
          Locale.ROOT,
          "%8d %5d ms %10.1f %10.1f %10.1f %10.1f %11.0f %10.1f%n",
          point.plan().clients(),
          point.plan().thinkMillis(),
          point.meanMicros(),
          point.p50Micros(),
          point.sample().percentileMicros(99),
          point.sample().percentileMicros(100),
          point.sample().requestsPerSecond(),
          point.processorMicros());
    }
    print(accesses, out);
    out.printf(
        "%nBeside the exchange without any protocol: %d clients without think time,"
            + " medians of %d rounds%n",
        options.comparedClients(), options.rounds());
    SystemTable.print(results, COMPARED, out);
    List<RoundRatio> ratios = ratios(results, options);
    out.printf("%nRatios of the rounds%n");
    ratios.forEach(ratio -> out.println(ratio.toText()));
    draw(results);
    CartPage.write(
        results, CURVE, THINK_MILLIS, accesses, ratios, List.of(TIMES_PICTURE, REQUESTS_PICTURE));
    results.tell(out);
  }

  private static List<RoundRatio> ratios(ResultFolder results, Options options) {
    ToDoubleFunction<Measurement> rate = m -> m.sample().requestsPerSecond();
    ToDoubleFunction<Measurement> tail = m -> m.sample().percentileMicros(99);
    String reached = "at least 0.75";
    return List.of(
        new RoundRatio(
            "requests/s, half updates / bare multicast", ratio(results, HALF, BARE, rate), reached),
        new RoundRatio(
            "requests/s, half updates / bare multicast by recvmmsg",
            ratio(results, HALF, SYSTEM, rate),
            reached),
        new RoundRatio(
            "requests/s, updates only / bare multicast", ratio(results, UPDATES, BARE, rate), ""),
        new RoundRatio(
            "requests/s, half updates, %,d clients / %d"
                .formatted(MANY_CLIENTS, options.comparedClients()),
            ratio(results, MANY, HALF, rate),
            "at least 0.9"),
        new RoundRatio(
            "p99, clients that think %d ms, %,d / %d"
                .formatted(THINK_MILLIS, MANY_CLIENTS, FEW_CLIENTS),
            ratio(results, MANY_THINK, FEW_THINK, tail),
            "at most 3"));
  }

  private static void print(List<DataAccess.Result> accesses, PrintWriter out) {
    out.printf(
        "%nOf it data access (place in the order, execution, index) in one replica,"
            + " microseconds%n");
    out.printf("%8s %10s %10s%n", "clients", "update", "read");
    for (DataAccess.Result access : accesses) {
      out.printf(
          Locale.ROOT,
          "%8d %10.2f %10.2f%n",
          access.clients(),
          access.updateMicros(),
          access.readMicros());
    }
  }

  private static Spread ratio(
      ResultFolder results, String dividend, String divisor, ToDoubleFunction<Measurement> number) {
    return Spread.ofRatios(results.rounds(dividend, number), results.rounds(divisor, number));
  }

  private static void draw(ResultFolder results) throws IOException {
    Map<String, NavigableMap<Integer, Double>> times = new LinkedHashMap<>();
    for (int think : List.of(THINK_MILLIS, 0)) {
      String of = think == 0 ? "no think time" : "think time %d ms".formatted(think);
      times.put("p50, " + of, points(results, think, Measurement::p50Micros));
      times.put("p99, " + of, points(results, think, m -> m.sample().percentileMicros(99)));
    }
    Charts.lines(
        results.path().resolve(TIMES_PICTURE),
        "Cart on %d replicas: interaction time".formatted(Processes.REPLICAS),
        "clients",
        "microseconds",
        times);
    Map<String, NavigableMap<Integer, Double>> rates = new LinkedHashMap<>();
    for (int think : List.of(THINK_MILLIS, 0)) {
      String of = think == 0 ? "no think time" : "think time %d ms".formatted(think);
      rates.put(of, points(results, think, m -> m.sample().requestsPerSecond()));
    }
    Charts.lines(
        results.path().resolve(REQUESTS_PICTURE),
        "Cart on %d replicas: requests per second".formatted(Processes.REPLICAS),
        "clients",
        "requests per second",
        rates);
  }

  private static NavigableMap<Integer, Double> points(
      ResultFolder results, int thinkMillis, ToDoubleFunction<Measurement> number) {
    NavigableMap<Integer, Double> points = new TreeMap<>();
    for (Measurement point : results.of(CURVE)) {
      if (point.plan().thinkMillis() == thinkMillis) {
        points.put(point.plan().clients(), number.applyAsDouble(point));
      }
    }
    return points;
  }
}
