package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A cart behind a servlet in Tomcat, as most applications would use it: each request has a thread
 * that waits. What the cart is kept in differs, all else is the same.
 */
final class CallersExperiment {
  private static final String LOCAL = "local map";
  private static final String HAND_OVER = "bare hand-over";
  private static final String REDIS = "Redis, WAIT 2";
  private static final String SERVICE = "Tempest service, acks 3";
  private static final String EMBEDDED = "Tempest embedded map";
  private static final String AGREED = "Tempest linearizable map";

  /** Servlets with an embedded map, of which one is loaded. */
  private static final int NODES = 3;

  private static final int COPIES = 2;
  private static final int ADD_PERCENT = 50;
  private static final int THINK_MILLIS = 20;
  private static final int THINKING_CLIENTS = 1_024;
  private static final int WARM_UP_CLIENTS = 64;

  /** With fewer, compilers take more of the processors than what is measured. */
  private static final long WARM_UP_REQUESTS = 400_000;

  private static final int QUIET_GOAL_CLIENTS = 64;

  private static final String RATE = "requestsPerSecond";
  private static final String PROCESSOR = "processorMicros";

  static final Experiment EXPERIMENT =
      new Experiment(
          "callers",
          List.of(
              Setting.numbers(
                      "clients", "16,64,256,1024", "The numbers of HTTP clients, commas between.")
                  .within(1, LoadPlan.CLIENTS_MAX),
              Setting.rounds("3"),
              Setting.perRound("1"),
              Setting.warmUp("1"),
              Setting.number("busy", "0", "So many loops beside, each on a processor.")
                  .within(0, 1_000),
              Setting.flag("virtual-threads", "Runs each request on a virtual thread.")),
          CallersExperiment::measure,
          CallersExperiment::report);

  private CallersExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    Settings settings = run.settings();
    try (Processes processes = new Processes(run.log())) {
      List<Contestant> contestants = start(processes, run);
      int busy = settings.number("busy");
      if (busy > 0) {
        var loops = processes.start("busy", () -> new BusyLoops(busy));
        loops.ask(Duration.ofDays(1), Duration.ZERO); // They end with the process.
      }
      List<LoadPlan> plans = new ArrayList<>();
      int millis = settings.millis("seconds");
      settings.numbers("clients").forEach(count -> plans.add(new LoadPlan(count, 0, millis)));
      plans.add(new LoadPlan(THINKING_CLIENTS, THINK_MILLIS, millis));
      List<Run.Turn> turns = new ArrayList<>();
      plans.forEach(plan -> contestants.forEach(contestant -> turns.add(contestant.under(plan))));
      run.rounds(settings.number("rounds"), turns);
    }
  }

  private static List<Contestant> start(Processes processes, Run run)
      throws IOException, InterruptedException {
    int millis = run.settings().millis("warm-up");
    boolean virtual = run.settings().is("virtual-threads");
    Child<HttpLoad.Task, Point> load = processes.start("load", HttpLoad::new);
    List<Contestant> contestants = new ArrayList<>();
    for (String system : List.of(LOCAL, HAND_OVER, REDIS, SERVICE, EMBEDDED, AGREED)) {
      if (system.equals(REDIS) && !RedisServers.areThere()) {
        continue;
      }
      run.say("starting: " + system);
      List<Cart.Place> places = places(system, processes, run);
      List<Integer> ports = FreePorts.find(places.size());
      List<CartProgram> programs = new ArrayList<>();
      for (Cart.Place place : places) {
        programs.add(new CartProgram(ports.get(programs.size()), virtual, place));
      }
      int port = ports.getFirst();
      var servlets = processes.start(system, JavaCommand.MEASURED, programs);
      Contestant contestant =
          new Contestant(
              system,
              plan ->
                  load.ask(new HttpLoad.Task(List.of(port), ADD_PERCENT, true, plan), plan.total()),
              List.of(servlets.getFirst()));
      contestant.warmUp(new LoadPlan(WARM_UP_CLIENTS, 0, millis), WARM_UP_REQUESTS, run);
      contestants.add(contestant);
    }
    return contestants;
  }

  /** Where each servlet keeps its cart; the first is the one that is loaded. */
  private static List<Cart.Place> places(String system, Processes processes, Run run)
      throws IOException, InterruptedException {
    String cluster = Processes.newClusterName();
    return switch (system) {
      case EMBEDDED -> Collections.nCopies(NODES, () -> Cart.InMap.embedded(cluster));
      case AGREED -> {
        List<String> nodes = FreePorts.find(NODES).stream().map("127.0.0.1:%d"::formatted).toList();
        yield IntStream.range(0, NODES)
            .<Cart.Place>mapToObj(index -> () -> Cart.InMap.linearizable(cluster, nodes, index))
            .toList();
      }
      default -> List.of(place(system, processes, run));
    };
  }

  private static Cart.Place place(String system, Processes processes, Run run)
      throws IOException, InterruptedException {
    return switch (system) {
      case HAND_OVER -> Cart.HandOver::new;
      case REDIS -> {
        Path folder = run.log().toAbsolutePath().resolveSibling("");
        int port = RedisServers.start(processes, COPIES, folder);
        yield () -> RedisCart.connect(port, COPIES);
      }
      case SERVICE -> {
        var servers = Cluster.start(processes, Cluster.REPLICAS, TempestServer.Hosting.USUAL);
        TempestAddress address = servers.address();
        yield () -> Cart.InService.connect(address);
      }
      default -> () -> new Cart.InMap(new ConcurrentHashMap<>());
    };
  }

  private static void report(Points points, Settings settings, Page page) {
    int busy = settings.number("busy");
    String how =
        "Half adds, half checks%s%s"
            .formatted(
                settings.is("virtual-threads") ? ", virtual threads" : "",
                busy == 0 ? "" : ", %d busy loops beside".formatted(busy));
    Chart chart =
        new Chart(Chart.Kind.LINES, "callers-requests", how, "HTTP clients", "requests per second");
    chart.add("%s", points.where("thinkMillis", 0), "system", "clients", RATE);
    page.chart(chart, "No think time.");
    page.table(
        how + "; medians of the rounds", points, "thinkMillis,clients,system", Contestant.COLUMNS);
    if (points.where("system", REDIS).isEmpty()) {
      page.ours("Redis was not measured: there is no redis-server on the PATH.");
    }
    points.by("thinkMillis,clients").forEach(load -> goals(page, load, busy > 0));
  }

  private static void goals(Page page, Points load, boolean isBusy) {
    boolean thinks = !load.text("thinkMillis").equals("0");
    String clients =
        LoadPlan.clients(Integer.parseInt(load.text("clients"))) + (thinks ? " that think" : "");
    Points local = load.where("system", LOCAL);
    Points service = load.where("system", SERVICE);
    Points redis = load.where("system", REDIS);
    for (Points other : load.by("system")) {
      String system = other.text("system");
      String what = "processor us more than the local map, %s, %s".formatted(system, clients);
      switch (system) {
        case LOCAL, EMBEDDED -> {}
        case SERVICE -> page.atMost(25, what, moreProcessor(other, local));
        default -> page.shown(what, moreProcessor(other, local));
      }
    }
    page.atLeast(
        0.80,
        "requests/s, embedded map / local map, " + clients,
        load.where("system", EMBEDDED).ratio(RATE, local));
    page.atLeast(
        0.80,
        "requests/s, linearizable map / service, " + clients,
        load.where("system", AGREED).ratio(RATE, service));
    if (redis.isEmpty()) {
      return;
    }
    if (thinks) {
      Spread tail = Spread.ofRatios(service.numbers("p99Micros"), redis.numbers("p50Micros"));
      page.atMost(2, "p99 of the service / p50 of Redis, " + clients, tail);
    } else {
      boolean more = !isBusy && local.median("clients") <= QUIET_GOAL_CLIENTS;
      page.atLeast(
          more ? 1.3 : 1.0, "requests/s, service / Redis, " + clients, service.ratio(RATE, redis));
    }
  }

  private static Spread moreProcessor(Points system, Points local) {
    List<Double> more = new ArrayList<>();
    for (int round = 0; round < system.all().size(); round++) {
      more.add(system.numbers(PROCESSOR).get(round) - local.numbers(PROCESSOR).get(round));
    }
    return Spread.of(more);
  }
}
