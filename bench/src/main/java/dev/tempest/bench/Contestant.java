package dev.tempest.bench;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A system that is put under load.
 *
 * @param charged the processes whose processor time counts
 */
record Contestant(String system, Load load, List<Child<?, ?>> charged) {
  @FunctionalInterface
  interface Load {
    /** Puts the system under load, and answers {@link LoadPlan#result}. */
    Point run(LoadPlan plan) throws IOException, InterruptedException;
  }

  /** What there is to say of points of contestants: medians of the rounds; times in us. */
  static final List<Column> COLUMNS =
      Column.medians(
          "mean us=meanMicros",
          "p50=p50Micros",
          "p99=p99Micros",
          "p99.9=p999Micros",
          "longest of a round=maxMicros",
          "requests/s=requestsPerSecond",
          "processor us=processorMicros");

  private static final int WARM_UP_TIMES_MAX = 20;

  /** A client in a process of its own, and the servers that it asks. */
  static Contestant of(
      String system, Child<LoadPlan, Point> client, List<? extends Child<?, ?>> servers) {
    List<Child<?, ?>> charged = new ArrayList<>(servers);
    charged.add(client);
    return new Contestant(system, plan -> client.ask(plan, plan.total()), charged);
  }

  /**
   * Runs a plan again and again, to no purpose but that all is loaded and compiled; not at all if
   * it takes no time.
   *
   * @param requests until so many were answered: compilers count calls, not seconds, and a busy
   *     machine needs many seconds for them
   */
  void warmUp(LoadPlan plan, long requests, Run run) throws IOException, InterruptedException {
    if (plan.measuredMillis() == 0) {
      return;
    }
    run.say("warming up: " + system);
    double answered = 0;
    for (int times = 0; times < WARM_UP_TIMES_MAX && answered < requests; times++) {
      answered += load.run(plan).number("answered");
    }
  }

  /** Runs a plan and measures when it is its turn. */
  Run.Turn under(LoadPlan plan) {
    return () -> {
      Duration before = processorTime();
      Point point = load.run(plan);
      double micros = processorTime().minus(before).toNanos() / 1e3;
      double processorMicros = micros / Math.max(1, point.number("answered"));
      return point.with("system", system, "processorMicros", processorMicros).onThisMachine();
    };
  }

  private Duration processorTime() {
    return charged.stream().map(Child::processorTime).reduce(Duration.ZERO, Duration::plus);
  }
}
