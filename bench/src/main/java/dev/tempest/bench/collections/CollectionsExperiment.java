package dev.tempest.bench.collections;

import dev.tempest.bench.Chart;
import dev.tempest.bench.Experiment;
import dev.tempest.bench.Goal;
import dev.tempest.bench.Page;
import dev.tempest.bench.Points;
import dev.tempest.bench.Run;
import dev.tempest.bench.Setting;
import dev.tempest.bench.Settings;
import dev.tempest.bench.Spread;
import dev.tempest.bench.Table;
import dev.tempest.bench.Table.Column;
import dev.tempest.bench.Turn;
import dev.tempest.bench.load.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The collections of a node, beside those of the JDK and those of Hazelcast: time per operation on
 * the caller's side, writes delivered to a second process, heap per entry, start, and what an idle
 * node takes.
 */
public final class CollectionsExperiment {
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
  private static final String BYTES = "bytesPerEntry";

  /** All of it. */
  public static final Experiment EXPERIMENT =
      new Experiment(
          "collections",
          List.of(
              "The maps of a node beside ConcurrentHashMap, TreeMap, ConcurrentSkipListMap and the"
                  + " ReplicatedMap of Hazelcast; about four minutes, with 4 GB of memory.",
              "",
              "Maps: 1,000 and 1,000,000 strings, each map in a process of its own and ours and"
                  + " Hazelcast's in a second one too, used by one thread. Time is that of the"
                  + " caller. Keys are equal to those in the map, not the same objects. The maps"
                  + " take turns in rounds, and ratios are those of one round; before the next"
                  + " map's turn all writes have reached the second process. 'put, 1,000/s' is 10"
                  + " puts every 10 ms, each timed by itself.",
              "",
              "Bytes: by how much the heap grows when the same keys and values are put into each"
                  + " map.",
              "",
              "Start: from the start of a process until its first put is done, and of a second one"
                  + " until it sees that. Idle: resident memory and processor time of two nodes"
                  + " with -Xmx64m. Both with no other option of Java, on this one and on that of"
                  + " JAVA21_HOME.",
              "",
              "Each number that is a goal stands beside it at the end, reached or not."),
          List.of(
              "collections",
              "collections --part maps --entries 1000 --rounds 5",
              "collections --part start,idle"),
          List.of(
              Setting.words("part", "maps,sorted,bytes,start,idle", "What to measure."),
              Setting.numbers(
                      ENTRIES, "1000,1000000", "How many entries, the smallest number first.")
                  .within(1, 10_000_000),
              Setting.rounds("3").full("11"),
              Setting.perRound("0.1").full("0.5"),
              Setting.seconds("warm-up", "0.3", "").full("3"),
              Setting.number("starts", "5", "").full("20"),
              Setting.seconds("idle", "20", "").full("60")),
          CollectionsExperiment::measure,
          CollectionsExperiment::report);

  private CollectionsExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    Settings settings = run.settings();
    List<String> parts = settings.words("part");
    if (parts.contains("maps")) {
      measureMaps(MAPS, run);
    }
    if (parts.contains("sorted")) {
      measureMaps(SORTED_MAPS, run);
    }
    if (parts.contains("bytes")) {
      for (MapKind kind : HEAPS) {
        run.say("bytes per entry: " + kind.title());
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
        each.idle(Duration.ofMillis(settings.millis("idle")));
      }
    }
    if (parts.contains("start") || parts.contains("idle")) {
      for (NodeRuns each : nodes) {
        each.warnings();
      }
    }
  }

  private static void measureMaps(List<MapKind> kinds, Run run)
      throws IOException, InterruptedException {
    try (Processes processes = new Processes(run.log())) {
      List<MapContestant> contestants = new ArrayList<>();
      for (MapKind kind : kinds) {
        contestants.add(MapContestant.start(kind, processes, run));
      }
      List<Turn> turns = new ArrayList<>();
      for (var operation : MapContestant.OPERATIONS) {
        for (int entries : run.settings().numbers(ENTRIES)) {
          for (MapContestant contestant : contestants) {
            turns.add(contestant.under(operation, entries, run.settings().millis("seconds")));
          }
        }
      }
      run.rounds(run.settings().number("rounds"), turns);
    }
  }

  private static Page report(Points points, Settings settings) {
    Page page =
        new Page("P4", "The collections of a node", "Beside those of the JDK and of Hazelcast")
            .ours(
                "Each map in a process of its own, and ours and Hazelcast's in a second one too;"
                    + " used by one thread, by turns. 'get': each key is known from the value"
                    + " before; 'get, loop': one is independent of the other.")
            .measuredHere();
    reportMaps(page, "maps", of(points, MAPS));
    reportMaps(page, "sorted maps", of(points, SORTED_MAPS));
    mapGoals(page, points);
    Points bytes = points.where(point -> point.fields().containsKey(BYTES));
    if (!bytes.isEmpty()) {
      page.table(
          Table.of(
              "Bytes of heap per entry, keys and values aside",
              bytes,
              List.of(SYSTEM, ENTRIES),
              List.of(Column.median("bytes", BYTES, "%.1f"))));
      Points tempest = bytes.where(SYSTEM, MapKind.TEMPEST.title());
      Points hashMap = bytes.where(SYSTEM, MapKind.HASH_MAP.title());
      page.goal(
          Goal.atMost(
              1.5, "bytes per entry, Tempest map / HashMap", tempest.ratio(BYTES, hashMap)));
    }
    for (Points java : points.by("java")) {
      String on = ", JDK " + java.text("java");
      nodeGoal(page, 1_000, "first put of a fresh process, ms" + on, java, "firstPutMillis");
      nodeGoal(page, 600, "second process sees it, ms" + on, java, "secondSeesMillis");
      nodeGoal(page, 1, "processor, idle node, %" + on, java, "processorPercent");
      nodeGoal(page, 80, "memory, idle node, 64 MB heap, MB" + on, java, "residentMegabytes");
      nodeGoal(page, 0, "warnings" + on, java, "warnings");
      if (!java.numbers("emptyProcessMillis").isEmpty()) {
        page.goal(Goal.shown("process without a node, ms" + on, java.spread("emptyProcessMillis")));
      }
    }
    return page;
  }

  private static void nodeGoal(Page page, double most, String what, Points java, String field) {
    if (!java.numbers(field).isEmpty()) {
      page.goal(Goal.atMost(most, what, java.spread(field)));
    }
  }

  private static Points of(Points points, List<MapKind> kinds) {
    List<String> titles = kinds.stream().map(MapKind::title).toList();
    return points.where(
        point -> point.fields().containsKey(OPERATION) && titles.contains(point.text(SYSTEM)));
  }

  private static void reportMaps(Page page, String what, Points points) {
    if (points.isEmpty()) {
      return;
    }
    page.table(table(what + ": nanoseconds per operation, caller's side", points, NANOS))
        .table(ratios(what, points))
        .table(
            table(
                what + ": nanoseconds of processor per operation, calling thread only",
                points.where(point -> point.fields().containsKey("processorNanos")),
                "processorNanos"))
        .table(
            table(
                what + ": writes per second until a second process had them all",
                points.where(point -> point.fields().containsKey("deliveredPerSecond")),
                "deliveredPerSecond"))
        .table(
            table(
                what + ": nanoseconds of the slowest put in a hundred, 1,000 a second",
                points.where(point -> point.fields().containsKey("p99Nanos")),
                "p99Nanos"))
        .chart(chart(what, points), "Time per operation, caller's side: " + what + ".");
  }

  private static Table table(String caption, Points points, String field) {
    List<Column> columns = new ArrayList<>();
    for (Object system : points.values(SYSTEM)) {
      columns.add(
          new Column(system.toString(), row -> row.where(SYSTEM, system).spread(field).toString()));
    }
    return Table.of(caption, points, List.of(OPERATION, ENTRIES), columns);
  }

  private static Table ratios(String what, Points points) {
    List<Object> systems = points.values(SYSTEM);
    List<Column> columns = new ArrayList<>();
    for (Object other : systems.subList(1, systems.size())) {
      columns.add(
          new Column(
              "/ " + other,
              row ->
                  row.where(SYSTEM, systems.getFirst())
                      .ratio(NANOS, row.where(SYSTEM, other))
                      .toString()));
    }
    return Table.of(
        "%s: time of ours, divided by that of others in the same round".formatted(what),
        points,
        List.of(OPERATION, ENTRIES),
        columns);
  }

  private static Chart chart(String what, Points points) {
    Chart chart =
        new Chart(
            "collections-%s.svg".formatted(what.replace(' ', '-')),
            Chart.Kind.LOGARITHMIC_BARS,
            "Time per operation, caller's side: " + what,
            "",
            "nanoseconds");
    for (Points system : points.by(SYSTEM)) {
      Map<String, Double> bars = new LinkedHashMap<>();
      for (Points operation : system.by(OPERATION)) {
        for (Points entries : operation.by(ENTRIES)) {
          bars.put(
              "%s (%s)".formatted(entries.text(OPERATION), entries.text(ENTRIES)),
              entries.median(NANOS));
        }
      }
      chart.add(system.text(SYSTEM), bars);
    }
    return chart;
  }

  /** What is asked of the map. */
  private static void mapGoals(Page page, Points points) {
    Points ours = points.where(SYSTEM, MapKind.TEMPEST.title());
    Points jdk = points.where(SYSTEM, MapKind.CONCURRENT_HASH_MAP.title());
    for (var operation : List.of(MapRequest.Kind.GET_NEXT, MapRequest.Kind.GET)) {
      for (Points get : ours.where(OPERATION, operation.title()).by(ENTRIES)) {
        Points other =
            jdk.where(OPERATION, operation.title())
                .where(point -> isOfSame(point.text(ENTRIES), get));
        page.goal(
            Goal.atMost(
                2,
                "%s / ConcurrentHashMap, %s entries"
                    .formatted(operation.title(), get.text(ENTRIES)),
                get.ratio(NANOS, other)));
      }
    }
    for (var operation : List.of(MapRequest.Kind.PUT, MapRequest.Kind.PUT_PACED)) {
      List<Points> puts = ours.where(OPERATION, operation.title()).by(ENTRIES);
      for (Points put : puts) {
        String what = "%s, eventual, %s entries".formatted(operation.title(), put.text(ENTRIES));
        page.goal(Goal.atMost(2_000, what + ", ns", put.spread(NANOS)));
        if (operation == MapRequest.Kind.PUT) {
          page.goal(Goal.atMost(2_000, what + ", processor ns", put.spread("processorNanos")));
        }
      }
      if (puts.size() > 1) {
        Spread growth = puts.getLast().ratio(NANOS, puts.getFirst());
        String what =
            "%s, eventual, %s / %s entries"
                .formatted(
                    operation.title(), puts.getLast().text(ENTRIES), puts.getFirst().text(ENTRIES));
        page.goal(Goal.atMost(4, what, growth));
      }
    }
  }

  private static boolean isOfSame(String entries, Points points) {
    return points.text(ENTRIES).equals(entries);
  }
}
