package dev.tempest.bench;

import dev.tempest.simulator.ServiceExperiment;
import dev.tempest.simulator.ServiceWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Clients of services that take time, each with a front-end and a thread of its own. They do what
 * the simulator's do, from the same seed.
 */
final class TimedClient {
  private static final double NANOS_PER_MILLI = 1e6;

  private final TempestAddress address;
  private final ServiceExperiment.Settings plan;
  private final ServiceWorkload workload;
  private final long startNanos = System.nanoTime();
  private final long fromNanos;
  private final long toNanos;
  private final Histogram reads = new Histogram(Point.SIGNIFICANT_DIGITS);
  private final Histogram updates = new Histogram(Point.SIGNIFICANT_DIGITS);
  private int unanswered;

  private TimedClient(TempestAddress address, ServiceExperiment.Settings plan) {
    this.address = address;
    this.plan = plan;
    this.workload = plan.workload();
    this.fromNanos = startNanos + plan.warmUpMillis() * 1_000_000L;
    this.toNanos = fromNanos + plan.measuredMillis() * 1_000_000L;
  }

  /** In a process that runs what it is told to. */
  static Program<ServiceExperiment.Settings, Point> program(TempestAddress address) {
    return () -> plan -> new TimedClient(address, plan).run();
  }

  /** What requests took that were answered, nanoseconds, and how many were not. */
  static Point result(Histogram reads, Histogram updates, long unanswered) {
    Histogram all = reads.copy();
    all.add(updates);
    Point point = with(Point.of("unanswered", unanswered), "read", reads);
    return with(with(point, "update", updates), "request", all).withNanos(all);
  }

  private static Point with(Point point, String what, Histogram nanos) {
    double deviation = nanos.getStdDeviation() / NANOS_PER_MILLI;
    return point.with(
        what + "s", nanos.getTotalCount(),
        what + "MeanMillis", nanos.getMean() / NANOS_PER_MILLI,
        what + "DeviationMillis", deviation,
        what + "ErrorMillis", deviation / Math.sqrt(Math.max(1.0, (double) nanos.getTotalCount())),
        what + "P50Millis", nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        what + "P99Millis", nanos.getValueAtPercentile(99) / NANOS_PER_MILLI);
  }

  private Point run() throws Exception {
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<?>> clients = new ArrayList<>();
      for (int client = 0; client < workload.clients(); client++) {
        ServiceWorkload.Source source = workload.requests(client, plan.seed());
        clients.add(threads.submit(() -> run(source)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
    return result(reads, updates, unanswered);
  }

  private void run(ServiceWorkload.Source source) {
    try (ServiceAsker asker = new ServiceAsker(address, workload)) {
      long sendNanos = startNanos + source.firstAfterNanos();
      while (sendNanos - toNanos < 0) {
        sleepUntil(sendNanos);
        long sentNanos = System.nanoTime();
        ServiceWorkload.Ask ask = source.next();
        boolean answered = asker.ask(ask);
        long endedNanos = System.nanoTime();
        if (sentNanos - fromNanos >= 0) {
          note(ask, answered, endedNanos - sentNanos);
        }
        long nextNanos = sentNanos + workload.everyMillis() * 1_000_000L;
        sendNanos = endedNanos - nextNanos > 0 ? endedNanos : nextNanos;
      }
    }
  }

  private synchronized void note(ServiceWorkload.Ask ask, boolean answered, long nanos) {
    if (answered) {
      (ask.update() ? updates : reads).recordValue(nanos);
    } else {
      unanswered++;
    }
  }

  static void sleepUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
