package dev.tempest.bench;

import dev.tempest.bench.MapProgram.What;
import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The collections of a node, beside those of the JDK and those of Hazelcast. */
final class CollectionsExperiment {
  private static final List<MapKind> MAPS =
      List.of(MapKind.TEMPEST, MapKind.CONCURRENT_HASH_MAP, MapKind.HAZELCAST);
  private static final List<MapKind> SORTED_MAPS =
      List.of(MapKind.TEMPEST_SORTED, MapKind.SKIP_LIST_MAP, MapKind.TREE_MAP);
  private static final List<MapKind> HEAPS =
      List.of(
          MapKind.TEMPEST,
          MapKind.HASH_MAP,
          MapKind.CONCURRENT_HASH_MAP,
          MapKind.HAZELCAST,
          MapKind.TEMPEST_SORTED,
          MapKind.TREE_MAP);

  private static final String SYSTEM = "system";
  private static final String OPERATION = "operation";
  private static final String ENTRIES = "entries";
  private static final String NANOS = "nanos";
  private static final String HASH_MAP_NANOS = "hashMapNanos";
  private static final String BYTES = "bytesPerEntry";

  static final Experiment EXPERIMENT =
      new Experiment(
          "collections",
          List.of(
              Setting.words("part", "maps,sorted,local,bytes,start,idle", "What to measure."),
              Setting.numbers(
                      ENTRIES, "1000,1000000", "How many entries, the smallest number first.")
                  .within(1, 10_000_000),
              Setting.rounds("3").full("11"),
              Setting.perRound("0.1").full("0.5"),
              Setting.seconds("warm-up", "0.3", "").full("3"),
              Setting.number("starts", "5", "").full("20"),
              Setting.seconds("calm", "3", ""),
              Setting.seconds("idle", "20", "").full("60")),
          CollectionsExperiment::measure,
          CollectionsExperiment::report);

  private CollectionsExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    Settings settings = run.settings();
    List<String> parts = settings.words("part");
    if (parts.contains("maps")) {
      measureMaps(MAPS, MapContestant.OPERATIONS, run);
    }
    if (parts.contains("sorted")) {
      measureMaps(SORTED_MAPS, MapContestant.OPERATIONS, run);
    }
    if (parts.contains("local")) {
      measureMaps(List.of(MapKind.TEMPEST_LOCAL), MapContestant.READS, run);
    }
    if (parts.contains("bytes")) {
      for (MapKind kind : HEAPS) {
        run.say("bytes per entry: " + kind.title);
        run.add(MapContestant.bytes(kind, settings.numbers(ENTRIES).getLast(), run));
      }
    }
    List<NodeRuns> nodes = NodeRuns.onEachJava(run);
    if (parts.contains("start")) {
      for (int start = 0; start < settings.number("starts"); start++) {
        run.say("start %d of %d".formatted(start + 1, settings.number("starts")));
        for (NodeRuns each : nodes) {
          each.start();
        }
      }
    }
    if (parts.contains("idle")) {
      for (NodeRuns each : nodes) {
        run.say("idle, JDK " + each.java());
        each.idle(
            Duration.ofMillis(settings.millis("calm")), Duration.ofMillis(settings.millis("idle")));
      }
    }
    if (parts.contains("start") || parts.contains("idle")) {
      for (NodeRuns each : nodes) {
        each.warnings();
      }
    }
  }

  private static void measureMaps(List<MapKind> kinds, List<What> operations, Run run)
      throws IOException, InterruptedException {
    Duration duration = Duration.ofMillis(run.settings().millis("seconds"));
    try (Processes processes = new Processes(run.log())) {
      List<MapContestant> contestants = new ArrayList<>();
      for (MapKind kind : kinds) {
        contestants.add(MapContestant.start(kind, operations, processes, run));
      }
      List<Run.Turn> turns = new ArrayList<>();
      for (What operation : operations) {
        for (int entries : run.settings().numbers(ENTRIES)) {
          contestants.forEach(each -> turns.add(() -> each.measure(operation, entries, duration)));
        }
      }
      run.rounds(run.settings().number("rounds"), turns);
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    reportMaps(page, "maps", of(points, MAPS));
    reportMaps(page, "sorted maps", of(points, SORTED_MAPS));
    reportLocalReads(page, points.where(SYSTEM, MapKind.TEMPEST_LOCAL.title));
    mapGoals(page, points);
    Points bytes = points.having(BYTES);
    page.table(
        "Bytes of heap per entry, keys and values aside",
        bytes,
        "system,entries",
        Column.medians(BYTES));
    if (!bytes.isEmpty()) {
      Points hashMap = bytes.where(SYSTEM, MapKind.HASH_MAP.title);
      Spread ratio = bytes.where(SYSTEM, MapKind.TEMPEST.title).ratio(BYTES, hashMap);
      page.atMost(1.5, "bytes per entry, Tempest map / HashMap", ratio);
    }
    for (Points java : points.by("java")) {
      String on = ", JDK " + java.text("java");
      nodeGoal(page, 1_000, "first put of a fresh process, ms" + on, java, "firstPutMillis");
      nodeGoal(page, 600, "second process sees it, ms" + on, java, "secondSeesMillis");
      nodeGoal(page, 1, "processor, idle node, %" + on, java, "processorPercent");
      nodeGoal(page, 80, "memory, idle node, 64 MB heap, MB" + on, java, "residentMegabytes");
      nodeGoal(page, 0, "warnings" + on, java, "warnings");
      if (!java.having("emptyProcessMillis").isEmpty()) {
        page.shown("process without a node, ms" + on, java.spread("emptyProcessMillis"));
      }
    }
  }

  private static void nodeGoal(Page page, double most, String what, Points java, String field) {
    if (!java.having(field).isEmpty()) {
      page.atMost(most, what, java.spread(field));
    }
  }

  private static Points of(Points points, List<MapKind> kinds) {
    List<String> titles = kinds.stream().map(kind -> kind.title).toList();
    return points.having(OPERATION).where(point -> titles.contains(point.text(SYSTEM)));
  }

  private static void reportMaps(Page page, String what, Points points) {
    if (points.isEmpty()) {
      return;
    }
    Points ours = new Points(List.of(points.all().getFirst()));
    table(page, what + ": nanoseconds per operation, caller's side", points, NANOS);
    page.table(
        what + ": time of ours, divided by that of others in the same round",
        points,
        "operation,entries",
        points.by(SYSTEM).stream().skip(1).map(other -> quotient(ours, other)).toList());
    table(page, what + ": of that the calling thread's processor", points, "processorNanos");
    table(page, what + ": writes a second until another had them", points, "deliveredPerSecond");
    table(page, what + ": nanoseconds, the slowest put in a hundred", points, "p99Nanos");
    Chart chart =
        new Chart(
            Chart.Kind.LOGARITHMIC_BARS,
            "collections-" + what.replace(' ', '-'),
            "Time per operation, caller's side: " + what,
            "",
            "nanoseconds");
    for (Points system : points.by(SYSTEM)) {
      Map<String, Double> bars = new LinkedHashMap<>();
      for (Points bar : system.by("operation,entries")) {
        bars.put(bar.name("%s (%s)", "operation,entries"), bar.median(NANOS));
      }
      chart.add(system.text(SYSTEM), bars);
    }
    page.chart(chart, "Time per operation, caller's side: " + what + ".");
  }

  private static void reportLocalReads(Page page, Points points) {
    page.table(
        "reads: local, a linearizable map of three nodes: nanoseconds, median and slowest in 100",
        points,
        "operation,entries",
        Column.medians(NANOS, "p99Nanos", HASH_MAP_NANOS));
    for (Points gets : points.where(OPERATION, What.GET_BETWEEN_PUTS.title).by(ENTRIES)) {
      String what =
          "get of a linearizable map, reads: local, all put 5 %%, %s entries, "
              .formatted(gets.text(ENTRIES));
      page.atMost(1_000, what + "ns", gets.spread(NANOS));
      page.shown(what + "/ HashMap in its place", gets.ratio(NANOS, HASH_MAP_NANOS));
    }
  }

  private static Column quotient(Points ours, Points others) {
    String system = others.text(SYSTEM);
    return new Column(
        "/ " + system,
        row ->
            row.where(SYSTEM, ours.text(SYSTEM))
                .ratio(NANOS, row.where(SYSTEM, system))
                .toString());
  }

  private static void table(Page page, String caption, Points points, String field) {
    Points having = points.having(field);
    List<Column> columns = new ArrayList<>();
    for (Object system : having.values(SYSTEM)) {
      columns.add(
          new Column(system.toString(), row -> row.where(SYSTEM, system).spread(field).toString()));
    }
    page.table(caption, having, "operation,entries", columns);
  }

  /** What is asked of the map. */
  private static void mapGoals(Page page, Points points) {
    Points ours = points.where(SYSTEM, MapKind.TEMPEST.title);
    Points jdk = points.where(SYSTEM, MapKind.CONCURRENT_HASH_MAP.title);
    for (What get : List.of(What.GET_NEXT, What.GET)) {
      for (Points gets : ours.where(OPERATION, get.title).by(ENTRIES)) {
        Object entries = gets.values(ENTRIES).getFirst();
        page.atMost(
            2,
            "%s / ConcurrentHashMap, %s entries".formatted(get.title, entries),
            gets.ratio(NANOS, jdk.where(OPERATION, get.title).where(ENTRIES, entries)));
      }
    }
    for (What put : List.of(What.PUT, What.PUT_PACED)) {
      String name = put.title + ", eventual, ";
      List<Points> sizes = ours.where(OPERATION, put.title).by(ENTRIES);
      for (Points puts : sizes) {
        String what = name + puts.text(ENTRIES) + " entries, ";
        page.atMost(2_000, what + "ns", puts.spread(NANOS));
        if (put == What.PUT) {
          page.atMost(2_000, what + "processor ns", puts.spread("processorNanos"));
        }
      }
      if (sizes.size() > 1) {
        String what = ours.ends("%s / %s entries", ENTRIES);
        page.atMost(4, name + what, sizes.getLast().ratio(NANOS, sizes.getFirst()));
      }
    }
  }
}
