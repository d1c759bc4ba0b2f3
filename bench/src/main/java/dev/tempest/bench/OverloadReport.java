package dev.tempest.bench;

import dev.tempest.bench.OverloadBenchmark.Options;
import dev.tempest.bench.tempest.OverloadSample;
import dev.tempest.bench.tempest.OverloadSample.Bin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What came out of one {@link OverloadBenchmark}, as lines, as a picture and as tables. */
final class OverloadReport {
  private static final String VICTIMS = "victims";
  private static final String FASTEST = "fastest";
  private static final double BIN_SECONDS = OverloadSample.BIN_MILLIS / 1e3;

  private final Options options;
  private final List<OverloadRun> runs;

  OverloadReport(Options options, List<OverloadRun> runs) {
    this.options = options;
    this.runs = List.copyOf(runs);
  }

  /** A line per bin and kind of reads, and one for the whole. */
  void writeLines(ResultFolder results, OverloadRun run) throws IOException {
    writeBins(results, run, VICTIMS, run.sample().victims());
    writeBins(results, run, FASTEST, run.sample().fastest());
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", "overload");
    fields.put("experiment", "outcome");
    fields.put("reconcile", run.reconcile());
    fields.put("normalMillis", options.normal().toMillis());
    fields.put("attackMillis", options.attack().toMillis());
    fields.put("recoveryMillis", options.recovery().toMillis());
    fields.put("rogueRequestsPerSecond", options.requestsPerSecond());
    fields.put("rogueRequests", run.flooded());
    fields.put("otherWorkThreads", options.otherWork());
    fields.put("updates", run.sample().updates().sent());
    fields.put("acknowledged", run.sample().updates().acknowledged());
    fields.put("unable", run.sample().updates().unable());
    fields.put("unknown", run.sample().updates().unknown());
    fields.put("lastStaleAfterAttackMillis", run.lastStaleAfterAttackMillis());
    fields.put("settledMillis", run.settledMillis());
    fields.put("mostLost", run.mostLost());
    fields.put("updatesShed", run.updatesShed());
    fields.put("readsShed", run.readsShed());
    fields.put("cores", Runtime.getRuntime().availableProcessors());
    fields.put("jdk", Runtime.version());
    results.addLine(JsonLine.of(fields));
  }

  private void writeBins(
      ResultFolder results, OverloadRun run, String asked, OverloadSample.Reads reads)
      throws IOException {
    List<Bin> bins = reads.bins();
    for (int at = 0; at < bins.size(); at++) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("benchmark", "overload");
      fields.put("experiment", "stale");
      fields.put("reconcile", run.reconcile());
      fields.put("asked", asked);
      fields.put("phase", phase(at));
      fields.put("second", at * BIN_SECONDS);
      fields.put("answered", bins.get(at).answered());
      fields.put("stale", bins.get(at).stale());
      fields.put("unanswered", bins.get(at).unanswered());
      results.addLine(JsonLine.of(fields));
    }
  }

  void draw(Path folder) throws IOException {
    Map<String, NavigableMap<Double, Double>> lines = new LinkedHashMap<>();
    for (OverloadRun run : runs) {
      OverloadSample sample = run.sample();
      lines.put(run.reconcile() + ", at the victims", staleBySecond(sample.victims()));
      lines.put(run.reconcile() + ", at who answers first", staleBySecond(sample.fastest()));
    }
    Charts.overTime(
        folder.resolve("overload-stale.svg"),
        "Stale results; attack from %d s to %d s"
            .formatted(options.normal().toSeconds(), options.updating().toSeconds()),
        "seconds",
        "stale results in 2 s",
        lines);
  }

  void print(PrintWriter out) {
    out.printf(
        "Reads in %.0f s each: results, stale ones, none; by threads that ask the victims, and by"
            + " threads that ask the two servers that answer first%n",
        BIN_SECONDS);
    for (OverloadRun run : runs) {
      print(run, out);
    }
  }

  private void print(OverloadRun run, PrintWriter out) {
    out.printf("%nreconcile: %s%n", run.reconcile());
    out.printf(
        "%8s %-9s %9s %7s %7s %12s %7s %7s%n",
        "second", "phase", "victims", "stale", "none", "fastest", "stale", "none");
    List<Bin> victims = run.sample().victims().bins();
    List<Bin> fastest = run.sample().fastest().bins();
    for (int at = 0; at < victims.size(); at++) {
      out.printf(
          Locale.ROOT,
          "%8.0f %-9s %9d %7d %7d %12d %7d %7d%n",
          at * BIN_SECONDS,
          phase(at),
          victims.get(at).answered(),
          victims.get(at).stale(),
          victims.get(at).unanswered(),
          fastest.get(at).answered(),
          fastest.get(at).stale(),
          fastest.get(at).unanswered());
    }
    OverloadSample.Updates updates = run.sample().updates();
    out.printf(
        "updates: %,d sent, %,d acknowledged, %,d unable, %,d unknown%n",
        updates.sent(), updates.acknowledged(), updates.unable(), updates.unknown());
    out.printf(
        "attack: %,d requests; servers refused %,d updates and left %,d reads%n",
        run.flooded(), run.updatesShed(), run.readsShed());
    out.printf(
        Locale.ROOT,
        "last stale result %.1f s after the attack; all servers equal %.1f s after the last read%n",
        run.lastStaleAfterAttackMillis() / 1e3,
        run.settledMillis() / 1e3);
    out.printf("acknowledged updates that the replicas lack: %s%n", run.lost());
  }

  private String phase(int bin) {
    long millis = (long) bin * OverloadSample.BIN_MILLIS;
    if (millis < options.normal().toMillis()) {
      return "normal";
    }
    return millis < options.updating().toMillis() ? "attack" : "recovery";
  }

  private static NavigableMap<Double, Double> staleBySecond(OverloadSample.Reads reads) {
    NavigableMap<Double, Double> stale = new TreeMap<>();
    for (int at = 0; at < reads.bins().size(); at++) {
      stale.put(at * BIN_SECONDS, (double) reads.bins().get(at).stale());
    }
    return stale;
  }
}
