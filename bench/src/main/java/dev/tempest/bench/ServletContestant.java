package dev.tempest.bench;

import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import dev.tempest.bench.servlet.CartKind;
import java.io.IOException;
import java.time.Duration;

/**
 * A servlet that is measured, and the process that loads it by HTTP.
 *
 * @param load the same for all servlets
 * @param port where the servlet listens
 */
record ServletContestant(CartKind kind, ChildProcess load, ChildProcess servlet, int port) {

  /** Runs a plan again and again until so many requests were answered, at most so many times. */
  void warmUp(LoadPlan plan, long requests, int timesMax) throws IOException, InterruptedException {
    long answered = 0;
    for (int times = 0; times < timesMax && answered < requests; times++) {
      answered += run(plan).answered();
    }
  }

  /** Runs a plan and measures; the processor time is that of the servlet's process. */
  Measurement measure(String benchmark, LoadPlan plan, int round)
      throws IOException, InterruptedException {
    Duration before = servlet.processorTime();
    Sample sample = run(plan);
    Duration used = servlet.processorTime().minus(before);
    double processorMicros = used.toNanos() / 1e3 / Math.max(1, sample.answered());
    return Measurement.of(benchmark, kind.title(), plan, round, sample, processorMicros);
  }

  private Sample run(LoadPlan plan) throws IOException, InterruptedException {
    String request = port + " " + plan.toLine();
    return Sample.parse(load.ask(request, Duration.ofMillis(plan.totalMillis())));
  }
}
