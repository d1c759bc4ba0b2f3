package dev.tempest.bench;

import dev.tempest.bench.collections.MapKind;
import dev.tempest.bench.collections.MapRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What {@link MapRounds} measured, as tables, as a picture, and beside the goals. */
final class MapReport {
  private static final Map<MapRequest.Kind, String> OPERATIONS = new LinkedHashMap<>();

  static {
    OPERATIONS.put(MapRequest.Kind.GET_NEXT, "get");
    OPERATIONS.put(MapRequest.Kind.GET, "get, loop");
    OPERATIONS.put(MapRequest.Kind.PUT, "put");
    OPERATIONS.put(MapRequest.Kind.COMPUTE, "compute");
    OPERATIONS.put(MapRequest.Kind.PUT_PACED, "put, 1,000/s");
  }

  private final MapRounds rounds;
  private final List<Integer> sizes;

  MapReport(MapRounds rounds, List<Integer> sizes) {
    this.rounds = rounds;
    this.sizes = sizes;
  }

  /** Systems beside each other. */
  void print(List<MapKind> kinds, PrintWriter out) {
    out.println("Nanoseconds per operation on the caller's side, one thread; median [spread]");
    out.println("get: each key known from the value before; loop: one independent of the other");
    table(kinds, OPERATIONS, MapReport::nanos, out);
    out.println("Nanoseconds of processor per operation, calling thread only");
    table(
        kinds,
        without(MapRequest.Kind.PUT_PACED),
        point -> point.answer().processorNanosPerOperation(),
        out);
    out.println("Thousands of operations per second");
    table(kinds, without(MapRequest.Kind.PUT_PACED), point -> 1e6 / nanos(point), out);
    out.println("Thousands of writes per second until a second process had them all");
    table(
        kinds.stream().filter(kind -> kind.nodes() > 1).toList(),
        Map.of(MapRequest.Kind.PUT, "put"),
        point -> point.deliveredPerSecond() / 1e3,
        out);
    out.println("Nanoseconds of the slowest put in a hundred, 1,000 a second");
    table(
        kinds,
        Map.of(MapRequest.Kind.PUT_PACED, "put, 1,000/s"),
        point -> point.answer().p99Nanos(),
        out);
    ratios(kinds, out);
  }

  private void ratios(List<MapKind> kinds, PrintWriter out) {
    out.printf("%s, divided by the others of the same round%n", kinds.getFirst().title());
    for (MapKind other : kinds.subList(1, kinds.size())) {
      for (int entries : sizes) {
        StringBuilder line = new StringBuilder();
        OPERATIONS.forEach((operation, name) ->
            line.append(
                "  %s %s".formatted(name, ratio(kinds.getFirst(), other, operation, entries))));
        out.printf("  / %s, %,d:%s%n", other.title(), entries, line);
      }
    }
    out.println();
  }

  private void table(
      List<MapKind> kinds,
      Map<MapRequest.Kind, String> operations,
      ToDoubleFunction<MapPoint> number,
      PrintWriter out) {
    out.printf("%-24s", "");
    kinds.forEach(kind -> out.printf(" %28s", kind.title()));
    out.println();
    operations.forEach((operation, name) -> {
      for (int entries : sizes) {
        out.printf("%-13s %,10d", name, entries);
        for (MapKind kind : kinds) {
          Spread spread = Spread.of(rounds.of(kind, operation, entries, number));
          out.printf(
              Locale.ROOT,
              " %28s",
              String.format(
                  Locale.ROOT,
                  "%,.0f [%,.0f .. %,.0f]",
                  spread.median(),
                  spread.lowest(),
                  spread.highest()));
        }
        out.println();
      }
    });
    out.println();
  }

  private static Map<MapRequest.Kind, String> without(MapRequest.Kind left) {
    Map<MapRequest.Kind, String> others = new LinkedHashMap<>(OPERATIONS);
    others.remove(left);
    return others;
  }

  /** What is asked of the map. */
  List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    for (MapRequest.Kind operation : List.of(MapRequest.Kind.GET_NEXT, MapRequest.Kind.GET)) {
      String name = OPERATIONS.get(operation) + " / ConcurrentHashMap";
      for (int entries : sizes) {
        goals.add(
            new Goal(
                "%s, %,d entries".formatted(name, entries),
                "",
                2,
                ratio(MapKind.TEMPEST, MapKind.CONCURRENT_HASH_MAP, operation, entries)));
      }
    }
    for (MapRequest.Kind operation : List.of(MapRequest.Kind.PUT, MapRequest.Kind.PUT_PACED)) {
      String name = OPERATIONS.get(operation) + ", eventual";
      for (int entries : sizes) {
        goals.add(putGoal(name, operation, entries, "", MapReport::nanos));
        if (operation == MapRequest.Kind.PUT) {
          goals.add(
              putGoal(
                  name,
                  operation,
                  entries,
                  ", processor",
                  point -> point.answer().processorNanosPerOperation()));
        }
      }
      if (sizes.size() > 1) {
        goals.add(growth(name, operation));
      }
    }
    return goals;
  }

  private Goal putGoal(
      String name,
      MapRequest.Kind operation,
      int entries,
      String what,
      ToDoubleFunction<MapPoint> number) {
    return new Goal(
        "%s, %,d entries%s".formatted(name, entries, what),
        "ns",
        2_000,
        Spread.of(rounds.of(MapKind.TEMPEST, operation, entries, number)));
  }

  private Goal growth(String name, MapRequest.Kind operation) {
    int few = sizes.getFirst();
    int many = sizes.getLast();
    return new Goal(
        "%s, %,d / %,d entries".formatted(name, many, few),
        "",
        4,
        Spread.ofRatios(
            rounds.of(MapKind.TEMPEST, operation, many, MapReport::nanos),
            rounds.of(MapKind.TEMPEST, operation, few, MapReport::nanos)));
  }

  private Spread ratio(MapKind ours, MapKind other, MapRequest.Kind operation, int entries) {
    return Spread.ofRatios(
        rounds.of(ours, operation, entries, MapReport::nanos),
        rounds.of(other, operation, entries, MapReport::nanos));
  }

  /**
   * The mean over a run; where each operation was timed, the median, as a thread that the machine
   * stops for a moment takes as long as thousands of operations.
   */
  private static double nanos(MapPoint point) {
    return point.operation() == MapRequest.Kind.PUT_PACED
        ? point.answer().p50Nanos()
        : point.answer().nanosPerOperation();
  }

  void draw(List<MapKind> kinds, Path file) throws IOException {
    Map<String, Map<String, Double>> nanosBySystem = new LinkedHashMap<>();
    for (MapKind kind : kinds) {
      Map<String, Double> bars = new LinkedHashMap<>();
      OPERATIONS.forEach((operation, name) -> {
        for (int entries : sizes) {
          double median = Spread.of(rounds.of(kind, operation, entries, MapReport::nanos)).median();
          bars.put("%s (%,d)".formatted(name, entries), median);
        }
      });
      nanosBySystem.put(kind.title(), bars);
    }
    Charts.bars(file, "Time per operation, caller's side", "nanoseconds", nanosBySystem);
  }
}
