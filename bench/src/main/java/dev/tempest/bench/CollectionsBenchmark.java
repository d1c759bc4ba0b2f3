package dev.tempest.bench;

import dev.tempest.bench.collections.MapKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The collections of a node, beside those of the JDK and those of Hazelcast: time per operation on
 * the caller's side, writes delivered to a second process, heap per entry, start, and what an idle
 * node takes.
 */
public final class CollectionsBenchmark {
  private static final String NAME = "collections";

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

  private CollectionsBenchmark() {}

  /** What can be measured for itself. */
  public enum Part {
    /** Maps beside hash maps. */
    MAPS,

    /** Sorted maps. */
    SORTED,

    /** Heap per entry. */
    BYTES,

    /** Start of nodes. */
    START,

    /** Idle nodes. */
    IDLE
  }

  /**
   * How to run it. Immutable.
   *
   * @param parts what to measure
   * @param sizes numbers of entries, the smallest first
   * @param warmUp how long each operation runs before it is measured, at each size
   * @param rounds how often the maps are compared
   * @param each how long each operation of each map runs in a round
   * @param starts how often nodes are started
   * @param idle how long nodes are idle
   * @param folder where results go; if null, a new one in {@code bench-results}
   */
  public record Options(
      Set<Part> parts,
      List<Integer> sizes,
      Duration warmUp,
      int rounds,
      Duration each,
      int starts,
      Duration idle,
      @Nullable Path folder) {

    /** Checks the limits. */
    public Options {
      parts = parts.isEmpty() ? Set.of() : EnumSet.copyOf(parts);
      sizes = List.copyOf(sizes);
      if (parts.isEmpty() || sizes.isEmpty() || rounds < 1 || starts < 1) {
        throw new IllegalArgumentException("need a part, a size, a round and a start");
      }
      if (sizes.stream().anyMatch(size -> size < 1 || size > 10_000_000)) {
        throw new IllegalArgumentException("sizes are 1 to 10000000 entries");
      }
      if (warmUp.isNegative() || each.toMillis() < 1 || idle.toMillis() < 1) {
        throw new IllegalArgumentException("need 1 ms to measure and no negative times");
      }
    }

    /** About four minutes. */
    public static Options defaults() {
      return new Options(
          EnumSet.allOf(Part.class),
          List.of(1_000, 1_000_000),
          Duration.ofMillis(300),
          3,
          Duration.ofMillis(100),
          5,
          Duration.ofSeconds(20),
          null);
    }

    /** About eight minutes. */
    public static Options full() {
      return new Options(
          EnumSet.allOf(Part.class),
          List.of(1_000, 1_000_000),
          Duration.ofSeconds(3),
          11,
          Duration.ofMillis(500),
          20,
          Duration.ofSeconds(60),
          null);
    }

    /** The same with results in another folder. */
    public Options withFolder(Path path) {
      return new Options(parts, sizes, warmUp, rounds, each, starts, idle, path);
    }

    /** The same with other parts. */
    public Options withParts(Set<Part> some) {
      return new Options(some, sizes, warmUp, rounds, each, starts, idle, folder);
    }

    /** The same with other numbers of entries. */
    public Options withSizes(List<Integer> entries) {
      return new Options(parts, entries, warmUp, rounds, each, starts, idle, folder);
    }

    /** The same with other rounds. */
    public Options withRounds(int count, Duration eachTime, Duration before) {
      return new Options(parts, sizes, before, count, eachTime, starts, idle, folder);
    }

    /** The same with other runs of nodes. */
    public Options withNodes(int times, Duration idleTime) {
      return new Options(parts, sizes, warmUp, rounds, each, times, idleTime, folder);
    }
  }

  /**
   * What came out.
   *
   * @param reached how many of the goals were reached
   * @param goals how many there are
   * @param folder where the measurements and the pictures are
   */
  public record Result(int reached, int goals, Path folder) {}

  /**
   * Runs it and prints the tables.
   *
   * @throws IOException if a process does not start or fails; the processes' log in the folder of
   *     results says why
   */
  public static Result run(Options options, PrintWriter out)
      throws IOException, InterruptedException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder())) {
      Progress progress = new Progress(out);
      MapRounds rounds = new MapRounds(results, progress, options.sizes());
      Map<MapKind, Double> bytes = new LinkedHashMap<>();
      List<NodeRuns> nodes = NodeRuns.onEachJava(results);
      measure(options, results, progress, rounds, bytes, nodes);
      progress.clear();
      return report(options, results, out, rounds, bytes, nodes);
    }
  }

  private static void measure(
      Options options,
      ResultFolder results,
      Progress progress,
      MapRounds rounds,
      Map<MapKind, Double> bytes,
      List<NodeRuns> nodes)
      throws IOException, InterruptedException {
    if (options.parts().contains(Part.MAPS)) {
      rounds.run(NAME, MAPS, options.warmUp(), options.rounds(), options.each());
    }
    if (options.parts().contains(Part.SORTED)) {
      rounds.run(NAME, SORTED_MAPS, options.warmUp(), options.rounds(), options.each());
    }
    if (options.parts().contains(Part.BYTES)) {
      bytes.putAll(HeapBytes.measure(NAME, HEAPS, options.sizes().getLast(), results, progress));
    }
    for (int start = 0; start < options.starts() && has(options, Part.START); start++) {
      progress.say("start %d of %d".formatted(start + 1, options.starts()));
      for (NodeRuns runs : nodes) {
        runs.start(NAME, results);
      }
    }
    if (has(options, Part.IDLE)) {
      progress.say("idle for %d s".formatted(options.idle().toSeconds()));
      NodeRuns.idle(nodes, options.idle());
    }
  }

  private static boolean has(Options options, Part part) {
    return options.parts().contains(part);
  }

  private static Result report(
      Options options,
      ResultFolder results,
      PrintWriter out,
      MapRounds rounds,
      Map<MapKind, Double> bytes,
      List<NodeRuns> nodes)
      throws IOException {
    List<Goal> goals = new ArrayList<>();
    MapReport report = new MapReport(rounds, options.sizes());
    if (has(options, Part.MAPS)) {
      report.print(MAPS, out);
      report.draw(MAPS, results.path().resolve("collections-maps.svg"));
      goals.addAll(report.goals());
    }
    if (has(options, Part.SORTED)) {
      report.print(SORTED_MAPS, out);
      report.draw(SORTED_MAPS, results.path().resolve("collections-sorted-maps.svg"));
    }
    if (!bytes.isEmpty()) {
      goals.add(printBytes(bytes, options.sizes().getLast(), out));
    }
    if (has(options, Part.START) || has(options, Part.IDLE)) {
      for (NodeRuns runs : nodes) {
        goals.addAll(runs.goals());
        Spread empty = runs.emptyProcess();
        if (empty != null) {
          out.printf("JDK %s: a process without a node starts in %s ms%n", runs.java(), empty);
        }
        runs.warnings().forEach(line -> out.printf("JDK %s: %s%n", runs.java(), line));
      }
    }
    out.printf("%-58s %9s %s%n", "Goals", "at most", "measured");
    for (Goal goal : goals) {
      out.println(goal.toText());
      results.addLine(goal.toJson(NAME));
    }
    if (has(options, Part.START) && nodes.size() == 1) {
      out.println("JAVA21_HOME names no Java 21: not tried on it");
    }
    out.printf("results: %s%n", results.path());
    out.flush();
    int reached = Math.toIntExact(goals.stream().filter(Goal::isReached).count());
    return new Result(reached, goals.size(), results.path());
  }

  private static Goal printBytes(Map<MapKind, Double> bytes, int entries, PrintWriter out) {
    out.printf("Bytes of heap per entry, keys and values aside, %,d entries%n", entries);
    bytes.forEach(
        (kind, perEntry) -> out.printf(Locale.ROOT, "  %-24s %8.1f%n", kind.title(), perEntry));
    out.println();
    double ratio =
        bytes.getOrDefault(MapKind.TEMPEST, 0.0) / bytes.getOrDefault(MapKind.HASH_MAP, 0.0);
    return new Goal("bytes per entry, Tempest map / HashMap", "", 1.5, Spread.of(List.of(ratio)));
  }
}
