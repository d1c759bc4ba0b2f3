package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A counter and sessions in three Tomcats, beside one that is not replicated (Bartoli, section 5,
 * Figures 7 and 8), and beside Spring Session in Redis.
 */
final class ServletExperiment {
  private static final String SYSTEM = "system";
  private static final String WRITES = "writesPercent";
  private static final String BALANCED = "balanced";
  private static final String CLIENTS = "clients";
  private static final String RATE = "requestsPerSecond";
  private static final String P50 = "p50Micros";
  private static final String CHECK = "checkMicros";
  private static final String UPDATE = "updateMicros";
  private static final String BYTES = "bytesPerUpdate";

  private static final String THINK = "thinkMillis";

  private static final int WARM_UP_CLIENTS = 32;

  /** Of each server. */
  private static final int WARM_UP_REQUESTS = 100_000;

  /**
   * A run to warm up is so many times as long: three servers compile at once, on few processors.
   */
  private static final int WARM_UP_FACTOR = 5;

  /** Who think so long between two requests that no processor is always busy. */
  private static final int THINKING_CLIENTS = 60;

  private static final int THINK_MILLIS = 20;
  private static final int STEPS = 20_000;
  private static final int HALF = 50;

  static final Experiment EXPERIMENT =
      new Experiment(
          "servlet",
          List.of(
              Setting.numbers(CLIENTS, "20,60,120,240", "The numbers of HTTP clients.")
                  .within(1, LoadPlan.CLIENTS_MAX),
              Setting.numbers("writes", "40,80,100", "Of 100 requests, so many write.")
                  .within(1, 100),
              Setting.number("warm-up-requests", String.valueOf(WARM_UP_REQUESTS), ""),
              Setting.number("steps", String.valueOf(STEPS), ""),
              Setting.rounds("3"),
              Setting.perRound("1")),
          ServletExperiment::measure,
          ServletExperiment::report);

  private ServletExperiment() {}

  /** The servlets of one kind. */
  private record Servlets(
      Visits.Kind kind, List<Integer> ports, List<Child<Integer, Point>> children) {}

  private static void measure(Run run) throws IOException, InterruptedException {
    Settings settings = run.settings();
    int millis = settings.millis("seconds");
    try (Processes processes = new Processes(run.log())) {
      Child<HttpLoad.Task, Point> load = processes.start("load", HttpLoad::new);
      List<Servlets> all = new ArrayList<>();
      for (Visits.Kind kind : Visits.Kind.values()) {
        if (kind == Visits.Kind.REDIS && !RedisServers.areThere()) {
          continue;
        }
        run.say("starting: " + kind.title);
        Servlets servlets = start(kind, processes, run);
        contestant(servlets, load, HALF, false)
            .warmUp(
                new LoadPlan(WARM_UP_CLIENTS, 0, WARM_UP_FACTOR * millis),
                (long) kind.servers * settings.number("warm-up-requests"),
                run);
        all.add(servlets);
      }
      for (Servlets each : all) {
        if (each.kind == Visits.Kind.ASYNCHRONOUS || each.kind == Visits.Kind.LINEARIZABLE) {
          run.say("step by step: " + each.kind.title);
          Point steps =
              each.children.getFirst().ask(settings.number("steps"), Duration.ofMinutes(1));
          run.add(steps.with(SYSTEM, each.kind.title).onThisMachine());
        }
      }
      run.rounds(settings.number("rounds"), turns(all, load, settings));
    }
  }

  private static Servlets start(Visits.Kind kind, Processes processes, Run run)
      throws IOException, InterruptedException {
    Path folder = run.log().toAbsolutePath().resolveSibling("");
    int redis = kind == Visits.Kind.REDIS ? RedisServers.start(processes, 0, folder) : 0;
    String cluster = Processes.newClusterName();
    List<Integer> ports = FreePorts.find(2 * kind.servers);
    List<String> nodes =
        ports.subList(kind.servers, ports.size()).stream().map("127.0.0.1:%d"::formatted).toList();
    List<VisitsProgram> programs = new ArrayList<>();
    for (int index = 0; index < kind.servers; index++) {
      Visits.Place place = new Visits.Place(kind, cluster, List.copyOf(nodes), index, redis);
      programs.add(new VisitsProgram(ports.get(index), place));
    }
    return new Servlets(
        kind,
        List.copyOf(ports.subList(0, kind.servers)),
        processes.start(kind.title, JavaCommand.MEASURED, programs));
  }

  private static List<Run.Turn> turns(
      List<Servlets> all, Child<HttpLoad.Task, Point> load, Settings settings) {
    List<Run.Turn> turns = new ArrayList<>();
    for (int writes : settings.numbers("writes")) {
      for (boolean isBalanced : new boolean[] {false, true}) {
        for (LoadPlan plan : plans(settings)) {
          for (Servlets each : all) {
            if (isBalanced && each.kind == Visits.Kind.APART) {
              continue; // Each server would begin another session.
            }
            Run.Turn turn = contestant(each, load, writes, isBalanced).under(plan);
            turns.add(() -> turn.measure().with(WRITES, writes, BALANCED, isBalanced));
          }
        }
      }
    }
    return turns;
  }

  private static List<LoadPlan> plans(Settings settings) {
    int millis = settings.millis("seconds");
    List<LoadPlan> plans = new ArrayList<>();
    settings.numbers(CLIENTS).forEach(clients -> plans.add(new LoadPlan(clients, 0, millis)));
    plans.add(new LoadPlan(THINKING_CLIENTS, THINK_MILLIS, millis));
    return plans;
  }

  private static Contestant contestant(
      Servlets servlets, Child<HttpLoad.Task, Point> load, int writes, boolean isBalanced) {
    return new Contestant(
        servlets.kind.title,
        plan ->
            load.ask(new HttpLoad.Task(servlets.ports, writes, !isBalanced, plan), plan.total()),
        List.copyOf(servlets.children));
  }

  private static void report(Points points, Settings settings, Page page) {
    Points loaded = points.having(RATE);
    for (Points each : loaded.by(WRITES + "," + BALANCED)) {
      boolean isBalanced = each.text(BALANCED).equals("true");
      String how =
          "%s %% writes, %s"
              .formatted(
                  each.text(WRITES),
                  isBalanced ? "each request at any server" : "each client at its server");
      Chart chart =
          new Chart(
              Chart.Kind.LINES,
              "servlet-%s-%s".formatted(each.text(WRITES), isBalanced ? "any" : "own"),
              how,
              "HTTP clients",
              "requests per second");
      Points busy = each.where(THINK, 0);
      chart.add("%s", busy, SYSTEM, CLIENTS, RATE);
      page.chart(chart, how + ", without think time.");
      page.table(how, each, "thinkMillis,clients,system", Contestant.COLUMNS);
      goals(page, each, how);
      compare(page, busy, how);
    }
    steps(page, points.having(CHECK));
    if (loaded.where(SYSTEM, Visits.Kind.REDIS.title).isEmpty()) {
      page.ours("Redis was not measured: there is no redis-server on the PATH.");
    }
  }

  private static void goals(Page page, Points points, String how) {
    for (Points load : points.by(THINK + "," + CLIENTS)) {
      String thinking = load.text(THINK).equals("0") ? "" : " that think";
      String where = ", %s, %s clients%s".formatted(how, load.text(CLIENTS), thinking);
      Points linearizable = of(load, Visits.Kind.LINEARIZABLE);
      Points redis = of(load, Visits.Kind.REDIS);
      page.atMost(
          1.15,
          "p50, asynchronous / one Tomcat" + where,
          of(load, Visits.Kind.ASYNCHRONOUS).ratio(P50, of(load, Visits.Kind.ALONE)));
      if (!redis.isEmpty()) {
        page.atMost(1, "p50, linearizable / Redis" + where, linearizable.ratio(P50, redis));
        page.atLeast(
            1.5, "requests/s, linearizable / Redis" + where, linearizable.ratio(RATE, redis));
      }
    }
  }

  private static Points of(Points points, Visits.Kind kind) {
    return points.where(SYSTEM, kind.title);
  }

  private static void compare(Page page, Points points, String how) {
    String alone = "requests/s with most clients, replicated / one Tomcat, " + how;
    String published = points.text(WRITES).equals("100") ? "above 1 from 120 clients on" : "more";
    page.compare(
        alone,
        published,
        last(points, Visits.Kind.COUNTER).part(RATE, last(points, Visits.Kind.COUNTER_ALONE)));
  }

  private static Points last(Points points, Visits.Kind kind) {
    return of(points, kind).by(CLIENTS).getLast();
  }

  private static void steps(Page page, Points steps) {
    if (steps.isEmpty()) {
      return;
    }
    page.table(
        "One request after the other, without HTTP: mean us, bytes over the network",
        steps,
        SYSTEM,
        Column.medians(
            "consistency check=" + CHECK, "update and ordering=" + UPDATE, "bytes=" + BYTES));
    Points linearizable = steps.where(SYSTEM, Visits.Kind.LINEARIZABLE.title);
    page.compare(
        "what replication adds to an update, ms",
        "1.38 load balancing + 1.55 check + 8.07 update",
        "%.3f check + %.3f update"
            .formatted(linearizable.median(CHECK) / 1e3, linearizable.median(UPDATE) / 1e3));
    page.compare(
        "bytes over the network for each update",
        "11,160, tuned 810",
        linearizable.spread(BYTES).toString());
  }
}
