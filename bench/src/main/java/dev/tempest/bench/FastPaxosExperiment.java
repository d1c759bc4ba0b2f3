package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** How soon replicas learn by Classic and by Fast Paxos, and how often updates collide. */
final class FastPaxosExperiment {
  private static final List<Integer> FAULTS = List.of(1, 3);
  private static final int SPANS = 4_000;
  private static final int STEPS = 100;

  private static final int DELAY_STEPS = 20;
  private static final long SEED = 1;

  static final Experiment EXPERIMENT =
      new Experiment(
          "fast-paxos",
          List.of(
              Setting.number("trials", "50000", "How often each case is simulated.")
                  .full("1000000"),
              Setting.file(
                  "wide",
                  "Milliseconds that messages of clients took, one in each line, for another"
                      + " case."),
              Setting.file("local", "The same of messages between replicas.")),
          FastPaxosExperiment::measure,
          FastPaxosExperiment::report);

  private FastPaxosExperiment() {}

  private static void measure(Run run) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    Settings settings = run.settings();
    for (Network network : Network.all(settings.file("wide"), settings.file("local"))) {
      for (int faults : FAULTS) {
        run.say("%s, t=%d".formatted(network.name(), faults));
        for (Quorums quorums : Quorums.all(faults)) {
          var trials = new QuorumTrials(network, quorums, settings.number("trials"), random);
          learn(run, network, quorums, trials);
          if (!quorums.hasLeader()) {
            collide(run, network, quorums, trials);
          }
        }
      }
    }
  }

  private static Point point(Network network, Quorums quorums) {
    return Point.of("case", network.name(), "t", quorums.faults(), "protocol", quorums.protocol());
  }

  private static void learn(Run run, Network network, Quorums quorums, QuorumTrials trials)
      throws IOException {
    double spanMillis = network.millis() / SPANS;
    Times wide = Times.of(network.wide(), spanMillis, SPANS);
    Times analysed = quorums.learning(wide, Times.of(network.local(), spanMillis, SPANS));
    double[] simulated = trials.learned();
    for (int step = 1; step <= STEPS; step++) {
      double millis = network.millis() / 2 * step / STEPS;
      run.add(
          point(network, quorums)
              .with(
                  "millis", millis,
                  "learned", analysed.within(millis),
                  "simulated", QuorumTrials.part(simulated, millis),
                  "message", network.wide().within(millis)));
    }
  }

  private static void collide(Run run, Network network, Quorums quorums, QuorumTrials trials)
      throws IOException {
    for (int step = 0; step <= DELAY_STEPS; step++) {
      double delayMillis = network.millis() / 4 * step / DELAY_STEPS;
      run.add(
          point(network, quorums)
              .with(
                  "delayMillis", delayMillis,
                  "collision", quorums.collision(network.first(delayMillis)),
                  "simulatedCollision", trials.collisions(delayMillis)));
    }
  }

  private static void report(Points points, Settings settings, Page page) {
    Points learning = points.having("learned");
    Points collisions = points.having("collision");
    claims(page, learning, collisions);
    charts(page, learning, collisions);
    page.table(
        "Milliseconds until an update is learned, by analysis",
        learning,
        "case,t,protocol",
        List.of(time("half", 0.5), time("90 %", 0.9), time("95 %", 0.95)));
    page.table(
        "Collisions of updates that are sent at once",
        collisions.where("delayMillis", 0.0),
        "case,t,protocol",
        Column.medians("analysis=collision", "simulated=simulatedCollision"));
  }

  private static void charts(Page page, Points learning, Points collisions) {
    for (Points each : learning.by("case,t")) {
      String name = each.name("%s, t=%s", "case,t");
      page.chart(
          chart("", name, "Learned in time", "ms")
              .add("a message of a client", each.curve("millis", "message"))
              .add("%s", each, "protocol", "millis", "learned"),
          "How likely a replica has learned an update by then: " + name + ".");
    }
    for (Points each : collisions.by("case")) {
      String name = each.text("case");
      page.chart(
          chart("collisions-", name, "Collisions of two updates", "ms from one to the other")
              .add("%s, t=%s", each, "protocol,t", "delayMillis", "collision"),
          "How likely neither of two updates comes to enough replicas: " + name + ".");
    }
  }

  private static Chart chart(String kind, String name, String title, String x) {
    return new Chart(
        Chart.Kind.LINES_FROM_ZERO,
        "fast-paxos-" + kind + name.replaceAll("[^a-z0-9.]+", "-"),
        title + ", " + name,
        x,
        "probability");
  }

  private static Column time(String title, double part) {
    return new Column(
        title,
        points -> {
          double millis = millis(points, part);
          return Double.isInfinite(millis) ? "later" : Spread.number(millis);
        });
  }

  /** By when that part has learned; infinite if it has not by the end of the curve. */
  private static double millis(Points curve, double part) {
    return curve.all().stream()
        .filter(point -> point.number("learned") >= part)
        .mapToDouble(point -> point.number("millis"))
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }

  private static void claims(Page page, Points learning, Points collisions) {
    for (String name : List.of("a_w=1.2", "a_w=1.8")) {
      page.compare(
          name + ", t=1: Fast is behind Classic up to",
          "about 300 ms; by then both have learned more than 0.7",
          crossing(learning.where("case", name).where("t", 1)));
    }
    Points local = learning.where("case", "one network");
    page.compare(
        "one network: Fast is ahead of Classic",
        "at any time",
        String.format(Locale.ROOT, "%.0f %% of the times", 100 * ahead(local)));
    page.compare(
        "one network, Fast: 95 % with t=3 / with t=1",
        "shorter tails with larger t",
        String.format(
            Locale.ROOT, "%.2f", fast95(local.where("t", 3)) / fast95(local.where("t", 1))));
    Points atOnce = collisions.where("delayMillis", 0.0).where("protocol", "Fast Paxos");
    for (int faults : FAULTS) {
      page.compare(
          "a_w=1.2: updates that are sent at once collide, t=" + faults,
          faults == 1 ? "about 0.38" : "about 0.65",
          String.format(
              Locale.ROOT,
              "%.3f",
              atOnce.where("case", "a_w=1.2").where("t", faults).median("collision")));
    }
    page.compare(
        "analysis and simulation differ",
        "not said",
        String.format(
            Locale.ROOT,
            "by %.3f at most, by %.3f for collisions",
            differ(learning, "learned", "simulated"),
            differ(collisions, "collision", "simulatedCollision")));
  }

  private static String crossing(Points learning) {
    List<Double> classic = learning.where("protocol", "Classic Paxos").numbers("learned");
    Points fast = learning.where("protocol", "Fast Paxos");
    boolean wasBehind = false;
    for (int i = 0; i < classic.size(); i++) {
      Point point = fast.all().get(i);
      boolean isBehind = point.number("learned") < classic.get(i);
      if (wasBehind && !isBehind) {
        return String.format(
            Locale.ROOT, "%.0f ms; by then %.2f", point.number("millis"), point.number("learned"));
      }
      wasBehind = isBehind;
    }
    return "always, or never";
  }

  private static double ahead(Points learning) {
    List<Double> classic = learning.where("protocol", "Classic Paxos").numbers("learned");
    List<Double> fast = learning.where("protocol", "Fast Paxos").numbers("learned");
    int ahead = 0;
    for (int i = 0; i < fast.size(); i++) {
      ahead += fast.get(i) >= classic.get(i) - 1e-9 ? 1 : 0;
    }
    return (double) ahead / fast.size();
  }

  private static double fast95(Points learning) {
    return millis(learning.where("protocol", "Fast Paxos"), 0.95);
  }

  private static double differ(Points points, String one, String other) {
    return points.all().stream()
        .mapToDouble(point -> Math.abs(point.number(one) - point.number(other)))
        .max()
        .orElse(0);
  }
}
