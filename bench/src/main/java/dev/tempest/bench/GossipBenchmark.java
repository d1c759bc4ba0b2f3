package dev.tempest.bench;

import dev.tempest.simulator.GossipExperiment;
import dev.tempest.simulator.GossipExperiment.Dissemination;
import dev.tempest.simulator.GossipExperiment.Talk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What gossip says, and how fast an update spreads by it alone, in the simulator: with ever more
 * replicas, and ever more updates behind them (Tempest, section 3.2, leaves the growth of the
 * paper's sets open).
 */
public final class GossipBenchmark {
  private static final String NAME = "gossip";
  private static final int TALKING_REPLICAS = 3;
  private static final long SEED = 1;

  private GossipBenchmark() {}

  /**
   * What to simulate. Immutable.
   *
   * @param replicas how many, one group after the other
   * @param updates how many, one history after the other
   * @param interval between the rounds that a replica starts; at least 10 ms
   * @param folder where results go; if null, a new one in {@code bench-results}
   */
  public record Options(
      List<Integer> replicas, List<Integer> updates, Duration interval, @Nullable Path folder) {

    /** Checks the limits. */
    public Options {
      replicas = List.copyOf(replicas);
      updates = List.copyOf(updates);
      if (replicas.stream().anyMatch(count -> count < 2)
          || updates.stream().anyMatch(count -> count < 1)) {
        throw new IllegalArgumentException("need at least 2 replicas and 1 update");
      }
      if (interval.toMillis() < 10 || interval.toMinutes() >= 1) {
        throw new IllegalArgumentException("an interval is from 10 ms to less than a minute");
      }
    }

    /** Some 20 seconds. */
    public static Options defaults() {
      return new Options(
          List.of(3, 10, 30, 100, 300, 1_000),
          List.of(1_000, 10_000, 100_000, 1_000_000),
          Duration.ofMillis(100),
          null);
    }

    /** Up to 10,000 replicas and 10,000,000 updates: some three minutes, and 4 GB of memory. */
    public static Options full() {
      return new Options(
          List.of(3, 10, 30, 100, 300, 1_000, 3_000, 10_000),
          List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000),
          Duration.ofMillis(100),
          null);
    }

    /** The same with other groups and histories. */
    public Options with(List<Integer> replicaCounts, List<Integer> updateCounts) {
      return new Options(replicaCounts, updateCounts, interval, folder);
    }

    /** The same with another interval. */
    public Options withInterval(Duration between) {
      return new Options(replicas, updates, between, folder);
    }

    /** The same with results in another folder. */
    public Options withFolder(Path path) {
      return new Options(replicas, updates, interval, path);
    }
  }

  /** What came out, in the order of the options. */
  public record Result(List<Dissemination> disseminations, List<Talk> talks, Path folder) {}

  /**
   * Simulates and prints the tables.
   *
   * @throws IOException if results cannot be written
   */
  public static Result run(Options options, PrintWriter out) throws IOException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder())) {
      Progress progress = new Progress(out);
      int intervalMillis = Math.toIntExact(options.interval().toMillis());
      List<Dissemination> disseminations = new ArrayList<>();
      for (int replicas : options.replicas()) {
        progress.say("an update spreads among %,d replicas".formatted(replicas));
        Dissemination spread = GossipExperiment.disseminate(replicas, intervalMillis, SEED);
        disseminations.add(spread);
        results.addLine(json(spread, intervalMillis));
      }
      List<Talk> talks = new ArrayList<>();
      for (int updates : options.updates()) {
        progress.say("replicas talk after %,d updates".formatted(updates));
        Talk talk = GossipExperiment.talk(TALKING_REPLICAS, updates, intervalMillis, SEED);
        talks.add(talk);
        results.addLine(json(talk, intervalMillis));
      }
      progress.clear();
      print(disseminations, talks, intervalMillis, out);
      draw(disseminations, talks, results.path());
      Result result = new Result(disseminations, talks, results.path());
      GossipPage.write(results.path(), result, intervalMillis);
      results.tell(out);
      return result;
    }
  }

  private static void print(
      List<Dissemination> disseminations, List<Talk> talks, int intervalMillis, PrintWriter out) {
    out.printf(
        "An update that reached one replica comes to all; gossip every %d ms%n", intervalMillis);
    out.printf(
        "%12s %12s %12s %24s %24s%n",
        "replicas", "ms", "rounds", "messages/replica/round", "bytes/replica/round");
    for (Dissemination spread : disseminations) {
      out.printf(
          Locale.ROOT,
          "%,12d %,12.0f %12.1f %24.2f %24.0f%n",
          spread.replicas(),
          spread.millis(),
          spread.rounds(),
          spread.messagesPerRound(),
          spread.bytesPerRound());
    }
    out.printf("%n%d replicas talk, ten updates a second going on%n", TALKING_REPLICAS);
    out.printf(
        "%12s %24s %24s %26s%n",
        "after", "messages/replica/round", "bytes/replica/round", "paper's set, bytes/message");
    for (Talk talk : talks) {
      out.printf(
          Locale.ROOT,
          "%,12d %24.2f %24.0f %,26d%n",
          talk.updates(),
          talk.messagesPerRound(),
          talk.bytesPerRound(),
          talk.setBytes());
    }
  }

  private static void draw(List<Dissemination> disseminations, List<Talk> talks, Path folder)
      throws IOException {
    NavigableMap<Integer, Double> rounds = new TreeMap<>();
    disseminations.forEach(spread -> rounds.put(spread.replicas(), spread.rounds()));
    Charts.lines(
        folder.resolve("gossip-dissemination.svg"),
        "Rounds of gossip until an update has come from one replica to all",
        "replicas",
        "rounds",
        Map.of("Tempest", rounds));
    NavigableMap<Integer, Double> bytes = new TreeMap<>();
    NavigableMap<Integer, Double> sets = new TreeMap<>();
    for (Talk talk : talks) {
      bytes.put(Math.toIntExact(talk.updates()), talk.bytesPerRound());
      sets.put(Math.toIntExact(talk.updates()), (double) talk.setBytes());
    }
    Map<String, NavigableMap<Integer, Double>> lines = new LinkedHashMap<>();
    lines.put("the paper's set of identifiers, each message (computed)", sets);
    lines.put("Tempest, all a replica sends in a round", bytes);
    Charts.lines(
        folder.resolve("gossip-history.svg"),
        "What gossip takes after so many updates",
        "updates",
        "bytes",
        lines);
  }

  private static String json(Dissemination spread, int intervalMillis) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", NAME);
    fields.put("experiment", "dissemination");
    fields.put("replicas", spread.replicas());
    fields.put("intervalMillis", intervalMillis);
    fields.put("millis", spread.millis());
    fields.put("rounds", spread.rounds());
    fields.put("messagesPerRound", spread.messagesPerRound());
    fields.put("bytesPerRound", spread.bytesPerRound());
    return JsonLine.of(fields);
  }

  private static String json(Talk talk, int intervalMillis) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", NAME);
    fields.put("experiment", "history");
    fields.put("replicas", talk.replicas());
    fields.put("updates", talk.updates());
    fields.put("intervalMillis", intervalMillis);
    fields.put("messagesPerRound", talk.messagesPerRound());
    fields.put("bytesPerRound", talk.bytesPerRound());
    fields.put("setBytes", talk.setBytes());
    return JsonLine.of(fields);
  }
}
