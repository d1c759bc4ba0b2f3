package dev.tempest.bench;

import dev.tempest.bench.floor.FloorMode;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import dev.tempest.bench.tempest.EchoClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One request at a time to three replicas, beside what the network alone takes for it.
 *
 * <p>In each round every system runs once, one right after the other, so that what else the machine
 * does at that time hits all of them; ratios are taken within a round.
 */
public final class EchoBenchmark {
  private static final String NAME = "echo";
  private static final String UDP_ECHO = "UDP echo, 2 processes";
  private static final String BARE = "bare multicast exchange";
  private static final String UPDATE = "tempest update";
  private static final String READ = "tempest read";
  private static final List<String> SYSTEMS = List.of(UDP_ECHO, BARE, UPDATE, READ);

  private static final long WARM_UP_REQUESTS = 150_000;
  private static final int WARM_UP_TIMES_MAX = 20;

  private EchoBenchmark() {}

  /**
   * How to run it. Immutable.
   *
   * @param rounds how often each system runs
   * @param perRound how long it runs each time
   * @param warmUp how long each system runs before the first round; twenty times as long if it has
   *     not answered 150,000 requests by then
   * @param payloadBytes of a request and its answer, without what a protocol adds
   * @param folder where results go; if null, a new one in {@code bench-results}
   */
  public record Options(
      int rounds, Duration perRound, Duration warmUp, int payloadBytes, @Nullable Path folder) {

    /** Checks the limits. */
    public Options {
      if (rounds < 1 || perRound.toMillis() < 1 || warmUp.toMillis() < 1) {
        throw new IllegalArgumentException("need at least one round, 1 ms each, 1 ms of warm-up");
      }
    }

    /** About a minute, more on a busy machine. */
    public static Options defaults() {
      return new Options(7, Duration.ofSeconds(1), Duration.ofSeconds(3), 64, null);
    }

    /** The same with results in another folder. */
    public Options withFolder(Path path) {
      return new Options(rounds, perRound, warmUp, payloadBytes, path);
    }

    /** The same with other rounds. */
    public Options withRounds(int count, Duration each, Duration warmUpBefore) {
      return new Options(count, each, warmUpBefore, payloadBytes, folder);
    }
  }

  /**
   * What came out, in medians over the rounds.
   *
   * @param updateToBare median interaction time of an update, divided by that of the bare exchange
   * @param readToBare the same of a read
   * @param folder where the measurements and the picture are
   */
  public record Result(Spread updateToBare, Spread readToBare, Path folder) {}

  /**
   * Runs it and prints the table.
   *
   * @throws IOException if a process does not start or fails; the processes' log in the folder of
   *     results says why
   */
  public static Result run(Options options, PrintWriter out)
      throws IOException, InterruptedException {
    try (ResultFolder results = ResultFolder.create(NAME, options.folder());
        Processes processes = new Processes(results.log())) {
      Progress progress = new Progress(out);
      progress.say("starting");
      List<Contestant> contestants = start(processes, options.payloadBytes());
      LoadPlan warmUp = LoadPlan.oneClient(Math.toIntExact(options.warmUp().toMillis()));
      for (Contestant contestant : contestants) {
        progress.say("warming up: " + contestant.name());
        contestant.warmUp(warmUp, WARM_UP_REQUESTS, WARM_UP_TIMES_MAX);
      }
      LoadPlan plan = LoadPlan.oneClient(Math.toIntExact(options.perRound().toMillis()));
      for (int round = 0; round < options.rounds(); round++) {
        for (Contestant contestant : contestants) {
          progress.say(
              "round %d of %d: ".formatted(round + 1, options.rounds()) + contestant.name());
          results.add(contestant.measure(NAME, plan, round));
        }
      }
      progress.clear();
      return report(results, options, out);
    }
  }

  private static List<Contestant> start(Processes processes, int payloadBytes)
      throws IOException, InterruptedException {
    Processes.Cluster cluster = processes.tempest();
    return List.of(
        processes.udpEcho(UDP_ECHO, payloadBytes),
        processes.bareMulticast(BARE, payloadBytes, payloadBytes, FloorMode.BLOCKING),
        processes.tempestClient(UPDATE, EchoClient.class, cluster, payloadBytes, "update"),
        processes.tempestClient(READ, EchoClient.class, cluster, payloadBytes, "read"));
  }

  private static Result report(ResultFolder results, Options options, PrintWriter out)
      throws IOException {
    out.printf(
        Locale.ROOT,
        "One request of %d B at a time, %d replicas; medians of %d rounds, microseconds%n",
        options.payloadBytes(),
        Processes.REPLICAS,
        options.rounds());
    SystemTable.print(results, SYSTEMS, out);
    Spread update = ratio(results, UPDATE);
    Spread read = ratio(results, READ);
    out.printf("update / bare exchange, p50: %s, to be at most 1.5%n", update);
    out.printf(Locale.ROOT, "the same of each one's best round: %.2f%n", ratioOfBest(results));
    out.printf("read / bare exchange, p50: %s%n", read);
    out.printf("bare exchange / UDP echo, p50: %s%n", ratioToEcho(results));
    Charts.percentiles(
        results.path().resolve("echo.svg"),
        "One request of %d B at a time to %d replicas"
            .formatted(options.payloadBytes(), Processes.REPLICAS),
        allRounds(results));
    out.printf("results: %s%n", results.path());
    out.flush();
    return new Result(update, read, results.path());
  }

  private static Spread ratio(ResultFolder results, String system) {
    return Spread.ofRatios(
        results.rounds(system, Measurement::p50Micros),
        results.rounds(BARE, Measurement::p50Micros));
  }

  /** On a machine that others use too, the best round is the one that they disturbed least. */
  private static double ratioOfBest(ResultFolder results) {
    return Spread.of(results.rounds(UPDATE, Measurement::p50Micros)).lowest()
        / Spread.of(results.rounds(BARE, Measurement::p50Micros)).lowest();
  }

  private static Spread ratioToEcho(ResultFolder results) {
    return Spread.ofRatios(
        results.rounds(BARE, Measurement::p50Micros),
        results.rounds(UDP_ECHO, Measurement::p50Micros));
  }

  private static Map<String, Histogram> allRounds(ResultFolder results) {
    Map<String, Histogram> nanos = new LinkedHashMap<>();
    for (String system : SYSTEMS) {
      Histogram sum = Sample.newHistogram();
      results.of(system).forEach(measurement -> sum.add(measurement.sample().interactionNanos()));
      nanos.put(system, sum);
    }
    return nanos;
  }
}
