package dev.tempest.bench;

import dev.tempest.bench.TempestServer.Hosting;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.io.Serializable;
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
 *
 * @param hosted the kinds of the services on the servers
 */
record TimedClient(TempestAddress address, List<ServiceKind> hosted)
    implements Program<TimedClient.Plan, TimedClient.Times> {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * What to do for how long.
   *
   * @param warmUpMillis before requests count
   * @param measuredMillis while requests count that are sent
   */
  record Plan(ServiceWorkload workload, int warmUpMillis, int measuredMillis, long seed)
      implements Serializable {}

  /** What requests took that were answered, nanoseconds, and how many were not. */
  record Times(Histogram reads, Histogram updates, long unanswered) implements Serializable {}

  @Override
  public Answers<Plan, Times> start() {
    return plan -> new Clients(this, plan).run();
  }

  private static final class Clients {
    private final TempestAddress address;
    private final Plan plan;
    private final ServiceWorkload workload;
    private final List<String> names;
    private final long startNanos = System.nanoTime();
    private final long fromNanos;
    private final long toNanos;
    private final Histogram reads = Sample.newHistogram();
    private final Histogram updates = Sample.newHistogram();
    private int unanswered;

    Clients(TimedClient program, Plan plan) {
      this.address = program.address;
      this.plan = plan;
      this.workload = plan.workload;
      this.names =
          workload.services().stream()
              .map(kind -> Hosting.timedName(program.hosted.indexOf(kind)))
              .toList();
      this.fromNanos = startNanos + plan.warmUpMillis * NANOS_PER_MILLI;
      this.toNanos = fromNanos + plan.measuredMillis * NANOS_PER_MILLI;
    }

    Times run() throws Exception {
      try (ExecutorService threads =
          Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
        List<Future<?>> clients = new ArrayList<>();
        for (int client = 0; client < workload.clients(); client++) {
          ServiceWorkload.Source source = workload.requests(client, plan.seed);
          clients.add(threads.submit(() -> run(source)));
        }
        for (Future<?> client : clients) {
          client.get();
        }
      }
      return new Times(reads, updates, unanswered);
    }

    private void run(ServiceWorkload.Source source) {
      try (ServiceAsker asker = new ServiceAsker(address, names, workload.asking())) {
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
          long nextNanos = sentNanos + workload.everyMillis() * NANOS_PER_MILLI;
          sendNanos = endedNanos - nextNanos > 0 ? endedNanos : nextNanos;
        }
      }
    }

    private synchronized void note(ServiceWorkload.Ask ask, boolean answered, long nanos) {
      if (answered) {
        (ask.update() ? updates : reads).recordValue(Math.min(nanos, Sample.MAX_NANOS));
      } else {
        unanswered++;
      }
    }

    private static void sleepUntil(long nanos) {
      for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }
}
