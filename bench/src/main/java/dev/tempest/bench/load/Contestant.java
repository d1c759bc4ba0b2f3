package dev.tempest.bench.load;

import dev.tempest.bench.Point;
import dev.tempest.bench.Table.Column;
import dev.tempest.bench.Turn;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A system that is put under load.
 *
 * @param charged the processes whose processor time counts
 */
public record Contestant(String system, Load load, List<ChildProcess> charged) {
  /** Puts the system under load. */
  @FunctionalInterface
  public interface Load {
    /** Runs a plan. */
    Sample run(LoadPlan plan) throws IOException, InterruptedException;
  }

  /** What there is to say of points of contestants: medians of the rounds; times in us. */
  public static final List<Column> COLUMNS =
      Column.medians(
          "mean us=meanMicros",
          "p50=p50Micros",
          "p99=p99Micros",
          "p99.9=p999Micros",
          "median max=maxMicros",
          "requests/s=requestsPerSecond",
          "processor us=processorMicros");

  /** A client in a process of its own, and the servers that it asks. */
  public static Contestant of(
      String system, Child<LoadPlan, Sample> client, List<ChildProcess> servers) {
    List<ChildProcess> charged = new ArrayList<>(servers);
    charged.add(client.process());
    return new Contestant(
        system, plan -> client.ask(plan, Duration.ofMillis(plan.totalMillis())), charged);
  }

  /** The same processes under another name. */
  public Contestant as(String name) {
    return new Contestant(name, load, charged);
  }

  /**
   * Runs a plan again and again, to no purpose but that all is loaded and compiled.
   *
   * @param requests until so many were answered: compilers count calls, not seconds, and a busy
   *     machine needs many seconds for them
   * @param timesMax at most so many times
   */
  public void warmUp(LoadPlan plan, long requests, int timesMax)
      throws IOException, InterruptedException {
    long answered = 0;
    for (int times = 0; times < timesMax && answered < requests; times++) {
      answered += load.run(plan).answered();
    }
  }

  /** Runs a plan and measures when it is its turn. */
  public Turn under(LoadPlan plan) {
    return new Turn("%s, %d clients".formatted(system, plan.clients()), () -> measure(plan));
  }

  /** Runs a plan and measures. */
  public Point measure(LoadPlan plan) throws IOException, InterruptedException {
    Duration before = processorTime();
    Sample sample = load.run(plan);
    Duration used = processorTime().minus(before);
    Point point =
        Point.of(
            "system",
            system,
            "clients",
            plan.clients(),
            "thinkMillis",
            plan.thinkMillis(),
            "measuredMillis",
            plan.measuredMillis(),
            "requests",
            sample.interactionNanos().getTotalCount(),
            "requestsPerSecond",
            sample.requestsPerSecond(),
            "meanMicros",
            sample.interactionNanos().getMean() / 1e3,
            "p50Micros",
            sample.percentileMicros(50),
            "p90Micros",
            sample.percentileMicros(90),
            "p99Micros",
            sample.percentileMicros(99),
            "p999Micros",
            sample.percentileMicros(99.9),
            "maxMicros",
            sample.percentileMicros(100),
            "answered",
            sample.answered(),
            "failed",
            sample.failed(),
            "processorMicros",
            used.toNanos() / 1e3 / Math.max(1, sample.answered()),
            "timestamp",
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    Point counted =
        sample.resent() == Sample.NOT_COUNTED ? point : point.with("resent", sample.resent());
    return counted.withNanos(sample.interactionNanos()).onThisMachine();
  }

  private Duration processorTime() {
    return charged.stream().map(ChildProcess::processorTime).reduce(Duration.ZERO, Duration::plus);
  }
}
