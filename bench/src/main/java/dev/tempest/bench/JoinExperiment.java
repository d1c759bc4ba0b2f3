package dev.tempest.bench;

import dev.tempest.bench.JoinProgram.What;
import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node that joins two others which have much and go on, and comes back; a burst of puts. */
final class JoinExperiment {
  private static final List<String> HERE_BEFORE = List.of("first", "second");
  private static final int JOINS = HERE_BEFORE.size();

  /** So long the members are looked at when the other one has joined: it may leave something. */
  private static final int AFTER_SECONDS = 2;

  private static final String NODE = "node";
  private static final String MAP = "map";
  private static final String PHASE = "phase";
  private static final String BEFORE = "before";

  /** Another process computes, as the one that joins will, and has nothing to do with them. */
  private static final String BESIDE = "beside";

  private static final String JOINING = "joining";
  private static final String SECOND = "second";
  private static final String EPOCH = "epochMillis";
  private static final String P99 = "p99Micros";
  private static final String HEAP = "heapBytes";

  static final Experiment EXPERIMENT =
      new Experiment(
          "join",
          List.of(
              Setting.number("entries", "2000000", "How many entries of 500 bytes there are.")
                  .within(1, 20_000_000),
              Setting.number("rate", "1000", "Updates a second of those that are there.")
                  .within(2, 100_000),
              Setting.number("burst", "1000000", "How many puts another node is to follow.")
                  .within(1, 20_000_000),
              Setting.number("heap", "4096", "Megabytes that each node may take.")
                  .within(512, 1_000_000),
              Setting.seconds(BEFORE, "30", "How long puts are measured before the join."),
              Setting.warmUp("10")),
          JoinExperiment::measure,
          JoinExperiment::report);

  private JoinExperiment() {}

  private static void measure(Run run) throws IOException, InterruptedException {
    try (JoinCluster pair = new JoinCluster(run, JavaCommand.MEASURED, JOINS, JOINS)) {
      run.add(burst(run, pair).onThisMachine());
    }
    // As a user starts it: what is tenured at once would count as growth of the heap.
    String heap = "-Xmx%dm".formatted(run.settings().number("heap"));
    JavaCommand java = JavaCommand.PLAIN.with(List.of(heap, "-XX:+UseG1GC"));
    try (JoinCluster cluster = new JoinCluster(run, java, JOINS, JOINS + 1)) {
      fill(run, cluster);
      join(run, cluster);
    }
  }

  private static Point burst(Run run, JoinCluster pair) throws IOException, InterruptedException {
    int puts = run.settings().number("burst");
    run.say("%,d puts".formatted(puts));
    var _ = pair.join(0, 0);
    var _ = pair.join(1, 0);
    pair.tell(1, What.AWAIT_BURST, puts);
    Point put = pair.ask(0, What.BURST, puts).getFirst();
    Point there = pair.heard(1).getFirst();
    return Point.of(
        "puts", puts,
        "putMillis", put.number("millis"),
        // What was put last may be there before the writer knows that it is put.
        "behindMillis", Math.max(0, there.number(EPOCH) - put.number(EPOCH)));
  }

  private static void fill(Run run, JoinCluster cluster) throws IOException, InterruptedException {
    int entries = run.settings().number("entries");
    run.say("%,d entries".formatted(entries));
    var _ = cluster.join(0, 0);
    var _ = cluster.join(1, 0);
    var _ = cluster.ask(0, What.FILL, entries);
    var _ = cluster.ask(1, What.AWAIT_FILLED, entries);
    for (int node = 0; node < JOINS; node++) {
      Point now = cluster.ask(node, What.HEAP, 0).getLast();
      run.add(Point.of(NODE, HERE_BEFORE.get(node), PHASE, BEFORE, HEAP, now.number(HEAP)));
      var _ = cluster.ask(node, What.PACE, run.settings().number("rate") / JOINS);
    }
  }

  private static void join(Run run, JoinCluster cluster) throws IOException, InterruptedException {
    int entries = run.settings().number("entries");
    int seconds = wholeSeconds(run, BEFORE);
    run.say("before the join");
    cluster.passSeconds(wholeSeconds(run, "warm-up"));
    long fromMillis = System.currentTimeMillis();
    cluster.passSeconds(seconds);
    run.say("another process computes");
    long besideMillis = System.currentTimeMillis();
    cluster.computeBeside(Duration.ofSeconds(seconds));
    cluster.passSeconds(seconds);
    run.say("the join");
    Times times = new Times(fromMillis, besideMillis, cluster.join(JOINS, entries));
    run.add(times.joined.with("what", "join", "entries", entries).onThisMachine());
    cluster.passSeconds(AFTER_SECONDS);
    for (int node = 0; node < JOINS; node++) {
      for (Point each : cluster.ask(node, What.HEAP, 0)) {
        run.add(times.of(each, 0).with(NODE, HERE_BEFORE.get(node)));
      }
    }
    run.say("the return");
    cluster.leave(JOINS);
    Point back = cluster.join(JOINS, entries);
    run.add(back.with("what", "return", "entries", entries).onThisMachine());
    for (int node = 0; node < JOINS; node++) {
      for (Point each : cluster.ask(node, What.REST, 0)) {
        run.add(
            times
                .of(each, each.number("lastsMillis"))
                .with(NODE, HERE_BEFORE.get(node))
                .onThisMachine());
      }
    }
  }

  private static int wholeSeconds(Run run, String setting) {
    return Math.ceilDiv(run.settings().millis(setting), 1_000);
  }

  /**
   * When it was measured.
   *
   * @param fromMillis when the members were warm
   * @param besideMillis since when another process computed
   * @param joined when the other one joined
   */
  private record Times(double fromMillis, double besideMillis, Point joined) {
    /** A point of so many milliseconds, and whether that was while the other one joined. */
    Point of(Point point, double lastsMillis) {
      double atMillis = point.number(EPOCH);
      double startMillis = joined.number("startEpochMillis");
      double endMillis = joined.number("endEpochMillis");
      String phase =
          atMillis < fromMillis
              ? "warm-up"
              : atMillis + lastsMillis <= besideMillis
                  ? BEFORE
                  : atMillis + lastsMillis <= startMillis
                      ? BESIDE
                      : atMillis < endMillis ? JOINING : "after";
      return point.with(PHASE, phase, SECOND, (atMillis - startMillis) / 1e3);
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points seconds = points.having(P99);
    for (Points node : points.having(PHASE).by(NODE)) {
      String name = "the %s node".formatted(node.text(NODE));
      reportPuts(page, node.where(MAP, "ours"), node.where(MAP, "ConcurrentHashMap"), name);
      reportHeap(page, node.having(HEAP), name);
    }
    for (Point each : points.having("what").all()) {
      String what = each.text("what");
      page.shown(what + ", s", Spread.of(each.number("millis") / 1e3));
      double declaring = each.number("declaringMillis");
      page.shown(what + ", of it to declare the map, s", Spread.of(declaring / 1e3));
      if (each.fields().containsKey("loopbackBytes")) {
        page.shown(what + ", MB over loopback", Spread.of(each.number("loopbackBytes") / 1e6));
      }
    }
    Points burst = points.having("behindMillis");
    double perSecond = 1e3 * burst.median("puts") / burst.median("putMillis");
    page.shown("puts a second, burst", Spread.of(perSecond));
    page.atMost(
        2_000,
        "ms until the other node has the last put of the burst",
        burst.spread("behindMillis"));
    page.chart(
        new Chart(
                Chart.Kind.LINES_FROM_ZERO,
                "join-p99",
                "99 of 100 puts of each second take at most so long",
                "seconds since a third node began to join",
                "microseconds")
            .add("%s node, %s", seconds, NODE + "," + MAP, SECOND, P99),
        "Puts of the two nodes that were there, and of the same processes into a map of the JDK.");
    List<Column> columns = new ArrayList<>();
    columns.addAll(Column.medians("p50 us=p50Micros", "p99 us=" + P99, "max us=maxMicros"));
    columns.add(new Column("refused", each -> Spread.number(each.spread("refused").highest())));
    page.table(
        "Puts in one second each, medians; of how many most were refused",
        seconds,
        String.join(",", NODE, MAP, PHASE),
        columns);
  }

  /**
   * Shows the seconds in which puts were slow.
   *
   * @param floor what the same process took for puts into a map of the JDK
   */
  private static void reportPuts(Page page, Points ours, Points floor, String name) {
    for (String phase : List.of(BEFORE, BESIDE, JOINING)) {
      for (Points map : List.of(ours, floor)) {
        Points these = map.where(PHASE, phase);
        String of = "%s, %s, %s".formatted(phase, map.text(MAP), name);
        page.shown("p99 of a second, us, " + of, these.spread(P99));
        page.shown(
            "seconds of %d with p99 over twice that before, %s".formatted(these.all().size(), of),
            Spread.of((double) slow(map, phase).stream().filter(each -> each).count()));
      }
    }
    page.atMost(
        1, "such seconds in a row, joining, " + name, Spread.of(inARow(slow(ours, JOINING))));
    page.shown(
        "p99 of a second joining / beside a process that only computes, " + name,
        Spread.of(ours.where(PHASE, JOINING).median(P99) / ours.where(PHASE, BESIDE).median(P99)));
    page.shown(
        "such seconds in a row, joining, ConcurrentHashMap, " + name,
        Spread.of(inARow(slow(floor, JOINING))));
  }

  /** Of each second, whether its p99 is over twice that before. */
  private static List<Boolean> slow(Points map, String phase) {
    double bound = 2 * map.where(PHASE, BEFORE).median(P99);
    return map.where(PHASE, phase).numbers(P99).stream().map(each -> each > bound).toList();
  }

  private static void reportHeap(Page page, Points heap, String name) {
    double before = heap.where(PHASE, BEFORE).numbers(HEAP).getFirst(); // Of everything, too.
    // A short join may be over before there is a collection.
    Points later = heap.where(each -> !each.text(PHASE).equals(BEFORE));
    page.shown("heap before, after a collection, MB, " + name, Spread.of(before / 1e6));
    // A collection leaves what has died among the old, too: only one of everything tells.
    page.shown(
        "most that any collection leaves more, MB, " + name,
        Spread.of((later.spread(HEAP).highest() - before) / 1e6));
    page.atMost(
        100,
        "the heap grows, after a collection of everything, MB, " + name,
        Spread.of((later.numbers(HEAP).getLast() - before) / 1e6));
  }

  /** How many in a row are so, at most. */
  static int inARow(List<Boolean> each) {
    int most = 0;
    int now = 0;
    for (boolean is : each) {
      now = is ? now + 1 : 0;
      most = Math.max(most, now);
    }
    return most;
  }
}
