package dev.tempest.bench;

import dev.tempest.bench.tempest.DataAccess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The cart under load beside what the Tempest paper measured. */
final class CartPage {
  private CartPage() {}

  /**
   * Writes it.
   *
   * @param curve the system whose points are measured at each number of clients
   * @param thinkMillis of the points that the paper has too
   * @param accesses what a replica itself takes for a request
   * @param ratios of the rounds
   * @param pictures files of the folder
   */
  static void write(
      ResultFolder results,
      String curve,
      int thinkMillis,
      List<DataAccess.Result> accesses,
      List<RoundRatio> ratios,
      List<String> pictures)
      throws IOException {
    PaperPage page =
        new PaperPage(
            "T4",
            "The cart under more and more clients",
            "Tempest (DSN 2008), section 4.1, Fig. 4");
    page.paper(
        "A cart on three replicas that gossip every 100 ms; 1 to 1,024 clients in a closed loop"
            + " that think for 20 ms, requests of 1,024 B, half of them writes, on 1,024 objects"
            + " drawn by Zipf's law. Beside it the same cart over an in-memory database on the"
            + " same machine, on another one and with a synchronous backup, and over one on disk.");
    page.paper(
        "The figure shows the interaction time of each, of it the time in the data: Tempest's is"
            + " below that of every database at every number of clients, and its time in the data"
            + " is about 1 ms whatever the number of clients, a tenth of the databases'.");
    page.ours(
        "The same workload on three server processes, with and without think time, and beside the"
            + " same exchange of datagrams without any protocol.");
    page.measuredHere();
    List<Measurement> points =
        results.of(curve).stream().filter(m -> m.plan().thinkMillis() == thinkMillis).toList();
    claims(page, points, accesses);
    for (String picture : pictures) {
      page.picture(results.path().resolve(picture), "");
    }
    page.table(
        "Interaction time, think time %d ms, microseconds".formatted(thinkMillis),
        List.of("clients", "mean", "p50", "p99", "requests/s"),
        points.stream().map(CartPage::row).toList());
    page.table(
        "Of it time in the data, at one replica, microseconds",
        List.of("clients", "update", "read"),
        accesses.stream().map(CartPage::row).toList());
    page.table(
        "Beside the exchange without any protocol, and itself",
        List.of("of the same rounds", "median [lowest .. highest]", "to be"),
        ratios.stream()
            .map(ratio -> List.of(ratio.what(), ratio.measured().toString(), ratio.goal()))
            .toList());
    page.differs(
        "The databases are not measured here: what ours is compared with is the exchange itself,"
            + " which no system can beat.");
    page.differs("All processes share one machine, the clients' one included.");
    page.write(results.path());
  }

  private static void claims(
      PaperPage page, List<Measurement> points, List<DataAccess.Result> accesses) {
    if (!accesses.isEmpty()) {
      List<Double> micros = new ArrayList<>();
      accesses.forEach(access -> micros.add((access.updateMicros() + access.readMicros()) / 2));
      Spread spread = Spread.of(micros);
      page.compare(
          "time in the data with the most of it / with the least, over all numbers of clients",
          "about 1: the same whatever the number of clients",
          String.format(Locale.ROOT, "%.1f", spread.highest() / spread.lowest()));
    }
    if (points.size() < 2) {
      return;
    }
    List<Double> means = new ArrayList<>();
    points.forEach(point -> means.add(point.meanMicros()));
    page.compare(
        "interaction time with %,d clients / with %,d"
            .formatted(points.getLast().plan().clients(), points.getFirst().plan().clients()),
        "grows least of all systems; no number in the text",
        String.format(Locale.ROOT, "%.1f (means)", means.getLast() / means.getFirst()));
  }

  private static List<String> row(Measurement point) {
    return List.of(
        String.format(Locale.ROOT, "%,d", point.plan().clients()),
        String.format(Locale.ROOT, "%,.0f", point.meanMicros()),
        String.format(Locale.ROOT, "%,.0f", point.p50Micros()),
        String.format(Locale.ROOT, "%,.0f", point.sample().percentileMicros(99)),
        String.format(Locale.ROOT, "%,.0f", point.sample().requestsPerSecond()));
  }

  private static List<String> row(DataAccess.Result access) {
    return List.of(
        String.format(Locale.ROOT, "%,d", access.clients()),
        String.format(Locale.ROOT, "%.1f", access.updateMicros()),
        String.format(Locale.ROOT, "%.1f", access.readMicros()));
  }
}
