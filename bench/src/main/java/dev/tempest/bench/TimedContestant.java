package dev.tempest.bench;

import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.load.Sample;
import dev.tempest.bench.tempest.TimedServices;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Real servers whose services take time, and the process with their clients. */
record TimedContestant(ServicePoint.Layout layout, ChildProcess client) {

  /** Runs a plan to no purpose but that all is loaded and compiled. */
  void warmUp(TimedServices.Plan plan) throws IOException, InterruptedException {
    ask(plan);
  }

  /** Runs a plan and measures. */
  ServicePoint measure(String benchmark, TimedServices.Plan plan)
      throws IOException, InterruptedException {
    List<Sample> samples = ask(plan);
    Sample reads = samples.getFirst();
    Sample updates = samples.getLast();
    return new ServicePoint(
        benchmark,
        plan.workload(),
        layout,
        reads.interactionNanos(),
        updates.interactionNanos(),
        reads.failed(),
        true);
  }

  private List<Sample> ask(TimedServices.Plan plan) throws IOException, InterruptedException {
    Duration atLeast = Duration.ofMillis((long) plan.warmUpMillis() + plan.measuredMillis());
    String[] lines = client.ask(plan.toLine(), atLeast).split(";", -1);
    if (lines.length != 2) {
      throw new IOException("reads and updates expected, not " + lines.length + " samples");
    }
    return List.of(Sample.parse(lines[0]), Sample.parse(lines[1]));
  }
}
