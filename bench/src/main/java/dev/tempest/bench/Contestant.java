package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A system that is put under load.
 *
 * @param charged the processes whose processor time counts
 */
record Contestant(String system, Load load, List<Child<?, ?>> charged) {
  /** Puts the system under load. */
  @FunctionalInterface
  interface Load {
    /** Runs a plan. */
    Sample run(LoadPlan plan) throws IOException, InterruptedException;
  }

  /** What there is to say of points of contestants: medians of the rounds; times in us. */
  static final List<Column> COLUMNS =
      Column.medians(
          "mean us=meanMicros",
          "p50=p50Micros",
          "p99=p99Micros",
          "p99.9=p999Micros",
          "median max=maxMicros",
          "requests/s=requestsPerSecond",
          "processor us=processorMicros");

  private static final int WARM_UP_TIMES_MAX = 20;

  /** A client in a process of its own, and the servers that it asks. */
  static Contestant of(
      String system, Child<LoadPlan, Sample> client, List<? extends Child<?, ?>> servers) {
    List<Child<?, ?>> charged = new ArrayList<>(servers);
    charged.add(client);
    return new Contestant(system, plan -> client.ask(plan, plan.total()), charged);
  }

  /**
   * Runs a plan again and again, to no purpose but that all is loaded and compiled.
   *
   * @param requests until so many were answered: compilers count calls, not seconds, and a busy
   *     machine needs many seconds for them
   */
  void warmUp(LoadPlan plan, long requests) throws IOException, InterruptedException {
    long answered = 0;
    for (int times = 0; times < WARM_UP_TIMES_MAX && answered < requests; times++) {
      answered += load.run(plan).answered();
    }
  }

  /** Runs a plan and measures when it is its turn. */
  Turn under(LoadPlan plan) {
    return new Turn(
        "%s, %d clients that think %d ms".formatted(system, plan.clients(), plan.thinkMillis()),
        () -> measure(plan));
  }

  private Point measure(LoadPlan plan) throws IOException, InterruptedException {
    Duration before = processorTime();
    Sample sample = load.run(plan);
    Duration used = processorTime().minus(before);
    Histogram nanos = sample.interactionNanos();
    return Point.of(
            "system", system,
            "clients", plan.clients(),
            "thinkMillis", plan.thinkMillis(),
            "measuredMillis", plan.measuredMillis(),
            "requests", nanos.getTotalCount(),
            "requestsPerSecond", sample.requestsPerSecond(),
            "meanMicros", nanos.getMean() / 1e3,
            "p50Micros", sample.percentileMicros(50),
            "p90Micros", sample.percentileMicros(90),
            "p99Micros", sample.percentileMicros(99),
            "p999Micros", sample.percentileMicros(99.9),
            "maxMicros", sample.percentileMicros(100),
            "answered", sample.answered(),
            "failed", sample.failed(),
            "processorMicros", used.toNanos() / 1e3 / Math.max(1, sample.answered()),
            "timestamp", Instant.now().truncatedTo(ChronoUnit.MILLIS))
        .withNanos(nanos)
        .onThisMachine();
  }

  private Duration processorTime() {
    return charged.stream().map(Child::processorTime).reduce(Duration.ZERO, Duration::plus);
  }
}
