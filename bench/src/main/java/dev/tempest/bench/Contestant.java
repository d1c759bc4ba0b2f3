package dev.tempest.bench;

import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A system that is measured: a client process and what it asks.
 *
 * @param name of the system in results
 */
record Contestant(String name, ChildProcess client, List<ChildProcess> servers) {

  /**
   * Runs a plan again and again, to no purpose but that all is loaded and compiled.
   *
   * @param requests until so many were answered: compilers count calls, not seconds, and a busy
   *     machine needs many seconds for them
   * @param timesMax at most so many times
   */
  void warmUp(LoadPlan plan, long requests, int timesMax) throws IOException, InterruptedException {
    long answered = 0;
    for (int times = 0; times < timesMax && answered < requests; times++) {
      answered += client.run(plan).answered();
    }
  }

  /** Runs a plan and measures. */
  Measurement measure(String benchmark, LoadPlan plan, int round)
      throws IOException, InterruptedException {
    Duration before = processorTime();
    Sample sample = client.run(plan);
    Duration used = processorTime().minus(before);
    double processorMicros = used.toNanos() / 1e3 / Math.max(1, sample.answered());
    return Measurement.of(benchmark, name, plan, round, sample, processorMicros);
  }

  private Duration processorTime() {
    return servers.stream()
        .map(ChildProcess::processorTime)
        .reduce(client.processorTime(), Duration::plus);
  }
}
