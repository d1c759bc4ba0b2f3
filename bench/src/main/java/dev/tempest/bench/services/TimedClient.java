package dev.tempest.bench.services;

import dev.tempest.FrontEndConfig;
import dev.tempest.bench.load.Program;
import dev.tempest.bench.load.Sample;
import dev.tempest.bench.tempest.TempestAddress;
import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.io.Serializable;
import java.time.Duration;
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
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** As front-ends wait by default, and the simulator's do. */
  private static final Duration RETRY_AFTER = Duration.ofMillis(50);

  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * A {@link ServiceWorkload}, for so long.
   *
   * @param warmUpMillis before requests count
   * @param measuredMillis while requests count that are sent
   */
  record Plan(
      List<ServiceKind> services,
      int perRequest,
      int clients,
      int everyMillis,
      int asked,
      int warmUpMillis,
      int measuredMillis,
      long seed)
      implements Serializable {
    static Plan of(ServiceWorkload workload, int warmUpMillis, int measuredMillis, long seed) {
      return new Plan(
          workload.services(),
          workload.perRequest(),
          workload.clients(),
          workload.everyMillis(),
          workload.asking().replicas(),
          warmUpMillis,
          measuredMillis,
          seed);
    }

    ServiceWorkload workload() {
      return new ServiceWorkload(
          services, perRequest, clients, everyMillis, new ServiceWorkload.Asking(asked));
    }
  }

  /** What requests took that were answered, nanoseconds, and how many were not. */
  record Times(Histogram reads, Histogram updates, long unanswered) implements Serializable {}

  @Override
  public Answers<Plan, Times> start() {
    FrontEndConfig config = address.frontEnd().retryAfter(RETRY_AFTER).deadline(DEADLINE).build();
    return plan -> new Clients(plan, config, hosted).run();
  }

  private static final class Clients {
    private final Plan plan;
    private final ServiceWorkload workload;
    private final FrontEndConfig config;
    private final List<ServiceKind> hosted;
    private final long startNanos = System.nanoTime();
    private final long fromNanos;
    private final long toNanos;
    private final Histogram reads = Sample.newHistogram();
    private final Histogram updates = Sample.newHistogram();
    private int unanswered;

    Clients(Plan plan, FrontEndConfig config, List<ServiceKind> hosted) {
      this.plan = plan;
      this.workload = plan.workload();
      this.config = config;
      this.hosted = hosted;
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
      try (ServiceAsker asker = ServiceAsker.of(config, hosted, workload)) {
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
