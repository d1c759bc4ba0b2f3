package dev.tempest.bench;

import static dev.tempest.bench.PaxosExperiment.CLIENTS;
import static dev.tempest.bench.PaxosExperiment.CLIENTS_FAR;
import static dev.tempest.bench.PaxosExperiment.HOW;
import static dev.tempest.bench.PaxosExperiment.MIX;
import static dev.tempest.bench.PaxosExperiment.NEAR;
import static dev.tempest.bench.PaxosExperiment.ORIGINAL;
import static dev.tempest.bench.PaxosExperiment.PLACE;
import static dev.tempest.bench.PaxosExperiment.READ;
import static dev.tempest.bench.PaxosExperiment.READ_WRITE;
import static dev.tempest.bench.PaxosExperiment.REPLICAS_FAR;
import static dev.tempest.bench.PaxosExperiment.SINGLE;
import static dev.tempest.bench.PaxosExperiment.SIZE;
import static dev.tempest.bench.PaxosExperiment.SYSTEM;
import static dev.tempest.bench.PaxosExperiment.TOGETHER;
import static dev.tempest.bench.PaxosExperiment.WRITE;
import static dev.tempest.bench.PaxosExperiment.WRITE_ONLY;

import dev.tempest.bench.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is said of {@link PaxosExperiment}. */
final class PaxosReport {
  private static final String P50 = "p50Micros";
  private static final String MEAN = "meanMicros";
  private static final String RATE = "requestsPerSecond";

  /** Of a transaction of five writes, beside five single writes. */
  private static final double GOAL = 0.5;

  private static final List<Column> COLUMNS = columns();

  /** Means in ms of one client. */
  private record Published(double original, double read, double write) {
    static final Map<String, Published> BY_PLACE =
        Map.of(
            NEAR, new Published(0.181, 0.263, 0.338),
            CLIENTS_FAR, new Published(91.85, 92.79, 93.13),
            REPLICAS_FAR, new Published(70.82, 75.49, 106.73));
  }

  /**
   * Of a size and a mix.
   *
   * @param part mean of a transaction, as a part of that of single requests
   * @param more how many more transactions a second, with 1 to 16 clients
   */
  private record PublishedTransaction(int size, String mix, double part, String more) {
    static final List<PublishedTransaction> ALL =
        List.of(
            new PublishedTransaction(3, READ_WRITE, 0.85 / 1.17, "1.42 to 1.57"),
            new PublishedTransaction(3, WRITE_ONLY, 0.85 / 1.29, "1.52 to 1.97"),
            new PublishedTransaction(5, READ_WRITE, 1.23 / 1.79, "1.53 to 1.90"),
            new PublishedTransaction(5, WRITE_ONLY, 1.23 / 2.01, "1.69 to 2.38"));
  }

  private PaxosReport() {}

  private static List<Column> columns() {
    List<Column> columns = new ArrayList<>(Contestant.COLUMNS);
    columns.add(new Column("failed", each -> Spread.number(each.spread("failed").highest())));
    return columns;
  }

  static void report(Points points, Settings settings, Page page) {
    for (Points at : points.by(PLACE)) {
      String place = at.text(PLACE);
      Points requests = at.where(point -> !point.fields().containsKey(SIZE));
      Points transactions = at.having(SIZE);
      compare(page, place, requests);
      goals(page, place, requests, transactions);
      charts(page, place, requests, transactions);
      page.table("Single requests, " + place, requests, "clients,system", COLUMNS);
      page.table(
          "Several requests, each by itself and in a transaction, " + place,
          transactions,
          "size,mix,clients,how",
          COLUMNS);
    }
  }

  private static void compare(Page page, String place, Points requests) {
    Points first = requests.by(CLIENTS).getFirst();
    Points original = first.where(SYSTEM, ORIGINAL);
    Points read = first.where(SYSTEM, READ);
    Points write = first.where(SYSTEM, WRITE);
    Published paper = Published.BY_PLACE.get(place);
    if (paper != null) {
      String of = place + ", mean, ";
      page.compare(
          of + "read / original", two(paper.read / paper.original), read.part(MEAN, original));
      page.compare(
          of + "write / original", two(paper.write / paper.original), write.part(MEAN, original));
      page.compare(of + "read / write", two(paper.read / paper.write), read.part(MEAN, write));
    }
    if (place.equals(NEAR)) {
      page.compare(
          "near, requests a second, read / write, over all numbers of clients",
          "at least 1.13",
          requests.where(SYSTEM, READ).ratio(RATE, requests.where(SYSTEM, WRITE)).toString());
      page.compare(
          "near, most writes a second with so many clients", "8 to 32", best(requests, WRITE));
      page.compare(
          "near, most reads a second with so many clients", "16 to 64", best(requests, READ));
    }
  }

  private static void goals(Page page, String place, Points requests, Points transactions) {
    Points write = requests.by(CLIENTS).getFirst().where(SYSTEM, WRITE);
    for (PublishedTransaction paper : PublishedTransaction.ALL) {
      Points all = transactions.where(SIZE, paper.size).where(MIX, paper.mix);
      Points alone = all.by(CLIENTS).getFirst();
      Points together = alone.where(HOW, TOGETHER);
      Points single = alone.where(HOW, SINGLE);
      String of = "%s, %d requests, %s, ".formatted(place, paper.size, paper.mix);
      String what = of + "transaction / single requests, p50, 1 client";
      Spread measured = together.ratio(P50, single);
      if (place.equals(NEAR) && paper.size == 5 && paper.mix.equals(WRITE_ONLY)) {
        page.atMost(GOAL, what, measured);
        // On a machine that others use too, the best round is the one that they disturbed least.
        page.shown(
            "the same of each one's best round",
            Spread.of(together.spread(P50).lowest() / single.spread(P50).lowest()));
      } else {
        page.shown(what, measured);
      }
      if (place.equals(NEAR)) {
        page.compare(
            of + "transaction / single, mean, 1 client",
            two(paper.part),
            together.part(MEAN, single));
        double withCommit = single.median(MEAN) + write.median(MEAN);
        page.compare(
            of + "the same, if single ones take one more write, as a commit",
            two(paper.part),
            two(together.median(MEAN) / withCommit));
        Points ours = all.where(HOW, TOGETHER);
        page.compare(
            of + "transactions a second / single, over all numbers of clients",
            paper.more,
            ours.ratio(RATE, all.where(HOW, SINGLE)).toString());
      }
    }
  }

  private static void charts(Page page, String place, Points requests, Points transactions) {
    page.chart(
        new Chart(
                Chart.Kind.LINES,
                "paxos-" + place,
                "Single requests, " + place,
                "clients",
                "requests a second")
            .add("%s", requests, SYSTEM, CLIENTS, RATE),
        "Medians of the rounds; %s.".formatted(place));
    for (Points size : transactions.by(SIZE)) {
      page.chart(
          new Chart(
                  Chart.Kind.LINES,
                  "paxos-%s-%s".formatted(place, size.text(SIZE)),
                  "%s requests each, %s".formatted(size.text(SIZE), place),
                  "clients",
                  "transactions a second")
              .add("%s, %s", size, MIX + "," + HOW, CLIENTS, RATE),
          "As single requests, one after the other, and in a transaction.");
    }
  }

  /** With how many clients there were the most. */
  private static String best(Points requests, String system) {
    Map<Double, Double> curve = requests.where(SYSTEM, system).curve(CLIENTS, RATE);
    return curve.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(most -> Spread.number(most.getKey()))
        .orElseThrow();
  }

  private static String two(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }
}
