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

  /** Runs a plan to no purpose but that all is loaded and compiled. */
  void warmUp(LoadPlan plan) throws IOException, InterruptedException {
    client.run(plan);
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
